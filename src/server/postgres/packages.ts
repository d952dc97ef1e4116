import type * as PgModule from 'pg';
import type * as PgBossModule from 'pg-boss';
import type * as RateLimiterModule from 'rate-limiter-flexible';

import { ConfigurationError } from '../../errors/configuration-error.ts';

/** The packages that a state in PostgreSQL needs. */
export interface StatePackages {
  readonly pg: typeof PgModule;
  readonly boss: typeof PgBossModule;
  readonly limiter: typeof RateLimiterModule;
}

/** Loads the optional peers; if one is missing, the error names the command that installs them. */
export async function loadStatePackages(): Promise<StatePackages> {
  try {
    const [pg, boss, limiter] = await Promise.all([
      import('pg'),
      import('pg-boss'),
      import('rate-limiter-flexible'),
    ]);
    return { pg, boss, limiter };
  } catch (error) {
    const packages = 'pg pg-boss rate-limiter-flexible';
    throw new ConfigurationError(
      `A state in PostgreSQL needs the packages ${packages.replaceAll(' ', ', ')}: npm install ${packages}`,
      { cause: error },
    );
  }
}
