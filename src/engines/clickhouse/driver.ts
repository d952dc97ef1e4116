import type * as ClickHouseModule from '@clickhouse/client';

import { ConfigurationError } from '../../errors/configuration-error.ts';

/** What `@clickhouse/client` exports. */
export type ClickHouseDriver = typeof ClickHouseModule;

/** Loads the optional peer; if it is missing, the error names the command that installs it. */
export async function loadClickHouse(): Promise<ClickHouseDriver> {
  try {
    return await import('@clickhouse/client');
  } catch (error) {
    throw new ConfigurationError(
      'A ClickHouse source needs the package @clickhouse/client: npm install @clickhouse/client',
      { cause: error },
    );
  }
}
