import { ConfigurationError } from '../errors/configuration-error.ts';
import { stateUrlOf } from './sources.ts';

/**
 * Describes the state in a PostgreSQL without changing it: whether it can be reached and used, and by which version of
 * the tables it was made.
 *
 * @throws ConfigurationError if it cannot be used, or the address is not one of a PostgreSQL.
 */
export async function inspectState(written: string): Promise<string> {
  const database = stateUrlOf(written);
  if (database === undefined) {
    throw new ConfigurationError('--state needs an address such as postgres://dq@host/database');
  }
  const { loadStatePackages } = await import('../server/postgres/packages.ts');
  const { pg } = await loadStatePackages();
  const { inspectPostgresState } = await import('../server/postgres/inspect.ts');
  return inspectPostgresState(pg, database);
}
