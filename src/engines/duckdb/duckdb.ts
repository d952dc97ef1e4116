import type * as DuckDBModule from '@duckdb/node-api';

import { ConfigurationError } from '../../errors/configuration-error.ts';

/** What `@duckdb/node-api` exports. */
export type DuckDB = typeof DuckDBModule;

/** Loads the optional peer; if it is missing, the error names the command that installs it. */
export async function loadDuckDB(): Promise<DuckDB> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw new ConfigurationError(
      'The local service needs the package @duckdb/node-api: npm install @duckdb/node-api',
      { cause: error },
    );
  }
}
