import { thresholdMinutes } from '../contract/threshold.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { LocalAsset } from '../server/assets.ts';

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
  for (const [table, { threshold = '24h' }] of Object.entries(byTable)) {
    if (!assets.some(({ name }) => table.startsWith(`${name}.`))) {
      throw new ConfigurationError(
        `freshness: no asset has the table ${table}: its path must begin with the name of one of them: ${names}`,
      );
    }
    if (thresholdMinutes(threshold) === undefined) {
      throw new ConfigurationError(`freshness: the threshold of ${table} must look like 90m, 24h or 2d`);
    }
  }
  return assets.map((asset) => {
    const given = Object.entries(byTable)
      .filter(([table]) => table.startsWith(`${asset.name}.`))
      .map(([table, options]) => Object.assign({ table }, options));
    const others = asset.freshness.filter(({ table }) => !given.some((one) => one.table === table));
    return { ...asset, freshness: [...others, ...given] };
  });
}
