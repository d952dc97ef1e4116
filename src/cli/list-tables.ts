import type { DataQualityClient } from '../index.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { CliError } from './cli-error.ts';
import { requestLocal } from './local-endpoint.ts';

/** A table of the local service. */
export interface ListedTable {
  readonly table_path: string;
  /** Empty if they cannot be read. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Why the columns cannot be read. */
  readonly problem?: string;
}

/** Lists the tables of an asset. Ends the command if the service is not the local one, or the asset cannot be read. */
export async function listTables(
  client: DataQualityClient,
  asset: string,
  signal: AbortSignal,
): Promise<readonly ListedTable[]> {
  const path = `assets/${encodeURIComponent(asset)}/tables`;
  const { tables, problem } = await requestLocal<{
    readonly tables: readonly ListedTable[];
    readonly problem: string | null;
  }>(client, { method: 'GET', path, missing }, signal);
  if (problem !== null) throw new CliError(exitCode.inconclusive, problem);
  return tables;
}

const missing =
  'This service does not list its tables: the interface has no such list, only the local service does. On a hosted service, a table_path is <catalog>.<schema>.<table>, as `dq rules list` shows it.';
