import { closest } from '../closest.ts';
import type { DataQualityClient } from '../index.ts';
import { isLocalService } from '../report/local-service.ts';
import type { Changes } from '../rules/index.ts';
import { CliError } from './cli-error.ts';
import { listTables } from './list-tables.ts';
import { message } from './terminal.ts';

/**
 * Warns of each table that gets a rule or metric and does not exist. Only the local service lists its tables: `headers`
 * of any response show whether it is one.
 */
export async function warnOfMissingTables(
  client: DataQualityClient,
  plans: readonly Pick<Changes, 'assetId' | 'create'>[],
  headers: Headers | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (headers === undefined || !isLocalService(headers)) return;
  for (const { assetId, create } of plans) {
    if (create.length === 0) continue;
    const known = await tablesOf(assetId);
    if (known === undefined) continue;
    for (const path of new Set(create.map(({ table_path }) => table_path))) {
      if (known.includes(path)) continue;
      const near = closest(known, path);
      const meant = near === undefined ? '' : `; did you mean ${near}?`;
      message(`Warning: there is no table ${path}: its checks will end with an error${meant}`);
    }
  }

  /** Their paths; `undefined` if the data cannot be read, which is not what the command is about. */
  async function tablesOf(assetId: string): Promise<readonly string[] | undefined> {
    try {
      const listed = await listTables(client, assetId, signal);
      return listed.map(({ table_path }) => table_path);
    } catch (error) {
      if (error instanceof CliError) return undefined;
      throw error;
    }
  }
}
