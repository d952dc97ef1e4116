import type { Evaluation } from '../service/evaluation.ts';
import type { Clock } from '../server/clock.ts';
import type { LocalAsset } from '../server/assets.ts';
import type { Source } from '../server/source.ts';
import type { Database } from '../engines/database/database.ts';
import { DataSource } from '../engines/database/data-source.ts';
import { createDatabaseEvaluation, createDatabaseSource } from '../engines/database/evaluation.ts';
import { type DatabaseUrl, readSourceUrl, readStateUrl } from './source-url.ts';

/** What computes over the data of one asset. */
export interface AssetEngine {
  readonly evaluation: Evaluation;
  readonly source: Source;
}

/** The databases of the assets that have one. */
export interface OpenSources {
  /** By the id of the asset. */
  readonly engines: ReadonlyMap<string, AssetEngine>;
  close(): Promise<void>;
}

/** Opens the databases of assets; none is connected to before it is needed, and no driver is loaded unless one is named. */
export async function openSources(
  assets: readonly LocalAsset[],
  { timeout, clock }: { readonly timeout: number; readonly clock: Clock },
): Promise<OpenSources> {
  const databases: Database[] = [];
  const engines = new Map<string, AssetEngine>();
  for (const { id, name, source, freshness } of assets) {
    if (source === undefined) continue;
    const { engine, url, redact } = readSourceUrl(name, source.url, process.env);
    const options = { url, schemas: source.schemas, timeout, redact };
    const database = await (engine === 'postgres' ? openPostgres(options) : openClickHouse(options));
    databases.push(database);
    const data = new DataSource(name, database);
    engines.set(id, {
      evaluation: createDatabaseEvaluation(data, freshness, () => clock.now()),
      source: createDatabaseSource(data),
    });
  }
  return {
    engines,
    async close() {
      await Promise.all(databases.map(async (database) => database.close()));
    },
  };
}

/** The address of the database that keeps a state; undefined if what is written is the path of a folder. */
export function stateUrlOf(written: string): DatabaseUrl | undefined {
  return readStateUrl(written, process.env);
}

interface DatabaseOptions {
  readonly url: string;
  readonly schemas: readonly string[] | undefined;
  readonly timeout: number;
  readonly redact: (text: string) => string;
}

async function openPostgres(options: DatabaseOptions): Promise<Database> {
  const { loadPg } = await import('../engines/postgres/driver.ts');
  const { Postgres } = await import('../engines/postgres/postgres.ts');
  return new Postgres(await loadPg(), options);
}

async function openClickHouse(options: DatabaseOptions): Promise<Database> {
  const { loadClickHouse } = await import('../engines/clickhouse/driver.ts');
  const { ClickHouse } = await import('../engines/clickhouse/clickhouse.ts');
  return new ClickHouse(await loadClickHouse(), options);
}

/** Sends what is asked of an asset to its own engine, and the rest to that of the files. */
export function evaluationByAsset(files: Evaluation, { engines }: OpenSources): Evaluation {
  const of = (assetId: string): Evaluation => engines.get(assetId)?.evaluation ?? files;
  return {
    validateRule: async (rule) => of(rule.asset_id).validateRule(rule),
    checkRule: async (rule, sampleLimit, signal) => of(rule.asset_id).checkRule(rule, sampleLimit, signal),
    captureMetric: async (metric, signal) => of(metric.asset_id).captureMetric(metric, signal),
    freshness: async (asset) => of(asset.id).freshness(asset),
    tables: async (asset) => of(asset.id).tables(asset),
  };
}

/** Looks at an asset through its own engine. */
export function sourceByAsset(files: Source, { engines }: OpenSources): Source {
  return { scan: async (asset) => (engines.get(asset.id)?.source ?? files).scan(asset) };
}
