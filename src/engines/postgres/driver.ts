import type * as PgModule from 'pg';

import { ConfigurationError } from '../../errors/configuration-error.ts';

/** What `pg` exports. */
export type Pg = typeof PgModule;

/** Loads the optional peer; if it is missing, the error names the command that installs it. */
export async function loadPg(): Promise<Pg> {
  try {
    return await import('pg');
  } catch (error) {
    throw new ConfigurationError('A PostgreSQL source needs the package pg: npm install pg', {
      cause: error,
    });
  }
}
