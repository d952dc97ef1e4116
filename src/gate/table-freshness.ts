import type { Freshness } from '../contract/freshness.ts';
import { asRecord } from '../judgement/field.ts';
import type { Inspection } from './inspection.ts';

const pageSize = 100;

/** More tables than any asset has: a service that repeats its pages must not be asked forever. */
const mostPages = 1000;

/**
 * Reads the freshness of one table from the overview of an asset; `undefined` if it is not there. The interface does
 * not show the shape of the entries: read is what the local service sends, `table_path` and `freshness`.
 */
export async function readTableFreshness(
  { client, deadline: { signal }, limit }: Inspection,
  assetId: string,
  table_path: string,
): Promise<Freshness | undefined> {
  const [name = table_path] = table_path.split('.').slice(-1);
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { search_query: name, page, page_size: pageSize };
    const envelope = await limit(async () => await client.freshness.overview(assetId, query, { signal }));
    const { items } = asRecord(envelope.data);
    const entries: readonly unknown[] = Array.isArray(items) ? items : [];
    const entry = entries.map(asRecord).find((one) => one['table_path'] === table_path);
    if (entry !== undefined) return toFreshness(entry['freshness']);
    if (entries.length < pageSize) return undefined;
  }
  return undefined;
}

function toFreshness(value: unknown): Freshness | undefined {
  // The judge takes whatever it is, and passes only what is clearly fresh.
  return typeof value === 'object' && value !== null ? (value as Freshness) : undefined;
}
