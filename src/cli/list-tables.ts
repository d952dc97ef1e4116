import type { DataQualityClient } from '../index.ts';
import { requestLocal } from './local-endpoint.ts';

/** A table of the local service. */
export interface ListedTable {
  readonly table_path: string;
  /** Empty if they cannot be read. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Why the columns cannot be read. */
  readonly problem?: string;
}

/** Lists the tables of an asset. Ends the command if the service is not the local one. */
export async function listTables(
  client: DataQualityClient,
  asset: string,
  signal: AbortSignal,
): Promise<readonly ListedTable[]> {
  const path = `assets/${encodeURIComponent(asset)}/tables`;
  const { tables } = await requestLocal<{ readonly tables: readonly ListedTable[] }>(
    client,
    { method: 'GET', path, missing },
    signal,
  );
  return tables;
}

const missing =
  'This service does not list its tables: the interface has no such list, only the local service does. On a hosted service, a table_path is <catalog>.<schema>.<table>, as `dq rules list` shows it.';
