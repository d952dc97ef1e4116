import type * as DuckDBModule from '@duckdb/node-api';

import { ConfigurationError } from '../../errors/configuration-error.ts';

/** What `@duckdb/node-api` exports. */
export type DuckDB = typeof DuckDBModule;

/** The oldest DuckDB with which the local service passes its tests. */
const oldest = '1.5.4';

/** Loads the optional peer; if it is missing or too old, the error names the command that installs it. */
export async function loadDuckDB(): Promise<DuckDB> {
  let duckdb: DuckDB;
  try {
    duckdb = await import('@duckdb/node-api');
  } catch (error) {
    throw new ConfigurationError(
      'The local service needs the package @duckdb/node-api: npm install @duckdb/node-api',
      { cause: error },
    );
  }
  const version = duckdb.version();
  if (isOlder(version, oldest)) {
    throw new ConfigurationError(
      `The local service needs DuckDB ${oldest} or later, not ${version}: npm install @duckdb/node-api@latest`,
    );
  }
  return duckdb;
}

/** Whether a version such as `v1.4.4` comes before another one; one that is not of numbers does not. */
function isOlder(version: string, than: string): boolean {
  return version.replace(/^v/, '').localeCompare(than, 'en', { numeric: true }) < 0;
}
