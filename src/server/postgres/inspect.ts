import type * as PgModule from 'pg';

import { ConfigurationError } from '../../errors/configuration-error.ts';
import { latestVersion, schema } from './migrations.ts';
import { PostgresState, type PostgresStateOptions } from './postgres-state.ts';

const question = `
  SELECT current_setting('server_version'), to_regclass('${schema}.migrations') IS NOT NULL,
    has_database_privilege(current_database(), 'CREATE')`;

/**
 * Describes a state without changing it.
 *
 * @throws ConfigurationError if it cannot be used.
 */
export async function inspectPostgresState(
  pg: Pick<typeof PgModule, 'Pool'>,
  options: PostgresStateOptions,
): Promise<string> {
  const state = new PostgresState(pg, options);
  try {
    const [[server, isMade, mayCreate] = []] = await state.run(question);
    const where = `PostgreSQL ${String(server)} at ${options.shown}`;
    if (isMade !== true) {
      if (mayCreate === true) return `${where}: empty, the first start makes its tables`;
      throw new Error(`the role may not create the schema ${schema}, which does not exist`);
    }
    const [[version] = []] = await state.run(`SELECT coalesce(max(version), 0) FROM migrations`);
    const made = Number(version);
    if (made > latestVersion) throw new Error('it was made by a later version of data-quality-client');
    return made === latestVersion
      ? `${where}: tables of version ${made}`
      : `${where}: tables of version ${made}, the next start makes version ${latestVersion} of them`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`The state in ${options.shown} cannot be used: ${reason}`);
  } finally {
    await state.close();
  }
}
