import { thresholdMinutes } from '../contract/threshold.ts';
import { noTable } from '../engines/reasons.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { LocalAsset } from '../server/assets.ts';
import type { FreshnessConfiguration } from '../server/configuration.ts';

/** How the age of the newest rows of a table is judged. */
export interface TableFreshnessOptions {
  /** The column with the time of each row; without one, the freshness of the table is unknown. */
  readonly timestamp_column?: string | undefined;
  /**
   * The oldest age allowed, such as `90m`, `24h` or `2d`.
   *
   * @default '24h'
   */
  readonly threshold?: string | undefined;
}

/** How the age of tables is judged, by `<catalog>.<schema>.<table>`. */
export type FreshnessByTable = Readonly<Record<string, TableFreshnessOptions>>;

/**
 * Adds to each asset how the age of its tables is judged, in place of what `dq.json` says about the same table. The
 * catalog of a table is the name of its asset. Throws `ConfigurationError` for a table that no asset can have.
 */
export function withTableFreshness(
  assets: readonly LocalAsset[],
  byTable: FreshnessByTable,
): readonly LocalAsset[] {
  const names = assets.map(({ name }) => name).join(', ');
  const ofAsset = new Map<LocalAsset, FreshnessConfiguration[]>();
  for (const [table, options] of Object.entries(byTable)) {
    const { threshold = '24h' } = options;
    const owner = ownerOf(table, assets);
    if (owner === undefined) {
      throw new ConfigurationError(
        `freshness: no asset has the table ${table}: its path must begin with the name of one of them: ${names}`,
      );
    }
    if (thresholdMinutes(threshold) === undefined) {
      throw new ConfigurationError(`freshness: the threshold of ${table} must look like 90m, 24h or 2d`);
    }
    ofAsset.set(owner, [...(ofAsset.get(owner) ?? []), { table, ...options }]);
  }
  return assets.map((asset) => {
    const given = ofAsset.get(asset) ?? [];
    const others = asset.freshness.filter(({ table }) => !given.some((one) => one.table === table));
    return { ...asset, freshness: [...others, ...given] };
  });
}

/**
 * The asset that a table belongs to: of several whose names its path begins with, such as `a` and `a.b`, the longest
 * that leaves a schema and a table.
 */
function ownerOf(table: string, assets: readonly LocalAsset[]): LocalAsset | undefined {
  const candidates = assets
    .filter(({ name }) => table.startsWith(`${name}.`))
    .toSorted((a, b) => b.name.length - a.name.length);
  return candidates.find(({ name }) => table.slice(name.length + 1).includes('.')) ?? candidates[0];
}

/**
 * Returns what is wrong with the freshness that is configured for files: the tables in it that do not exist. They may
 * come later, so this is no reason not to start. A database is not asked: it need not be there yet.
 */
export async function findMissingTables(
  assets: readonly LocalAsset[],
  tablesOf: (asset: LocalAsset) => Promise<readonly string[]>,
): Promise<readonly ConfigurationError[]> {
  const found = assets.map(async (asset) => {
    const named = asset.freshness.flatMap(({ table }) => table ?? []);
    if (asset.path === undefined || named.length === 0) return [];
    // A folder that cannot be read is reported by whoever reads it.
    const tables = await tablesOf(asset).catch(() => named);
    return named
      .filter((table) => !tables.includes(table))
      .map((table) => new ConfigurationError(`freshness of ${asset.name}: ${noTable(table, tables)}`));
  });
  return (await Promise.all(found)).flat();
}
