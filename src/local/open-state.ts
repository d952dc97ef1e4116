import type { Tier } from '../contract/vocabulary.ts';
import { loadDuckDB } from '../engines/duckdb/duckdb.ts';
import type { Clock } from '../server/clock.ts';
import { DuckDBState } from '../server/duckdb-state.ts';
import type { Jobs } from '../server/jobs.ts';
import { LocalJobs } from '../server/local-jobs.ts';
import type { State } from '../server/state.ts';
import type { RateLimiter } from '../service/rate-limit.ts';
import { type KeptTexts, textsInFolder, textsInState } from './kept-texts.ts';
import type { DatabaseUrl } from './source-url.ts';

/** Where a state is: in a folder of this machine, or in a database that several processes share. */
export type StatePlace = { readonly folder: string } | { readonly database: DatabaseUrl };

/** A state that is open, and what goes with it. */
export interface OpenState {
  readonly state: State;
  readonly texts: KeptTexts;
  /** Counts the requests of keys for all processes; undefined if there is only this one. */
  readonly limiter: RateLimiter | undefined;
  readonly jobs: Jobs;
  /** Closes the queues, unless they are closed, and the state. */
  close(): Promise<void>;
}

/** What a state is used with. */
export interface StateParts {
  /** Rate limits of each key. */
  readonly tier: Tier;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Opens a state; the packages of the one that is not named are not loaded.
 *
 * @throws ConfigurationError if it cannot be used, or a package is missing.
 */
export async function openState(place: StatePlace, parts: StateParts): Promise<OpenState> {
  if ('database' in place) return openShared(place.database, parts);
  const state = await DuckDBState.open(await loadDuckDB(), place.folder);
  return {
    state,
    texts: textsInFolder(place.folder),
    limiter: undefined,
    jobs: new LocalJobs(parts),
    close: async () => state.close(),
  };
}

async function openShared(database: DatabaseUrl, parts: StateParts): Promise<OpenState> {
  const { loadStatePackages } = await import('../server/postgres/packages.ts');
  const { pg, boss, limiter } = await loadStatePackages();
  const { PostgresState } = await import('../server/postgres/postgres-state.ts');
  const { BossJobs } = await import('../server/postgres/boss-jobs.ts');
  const { createSharedRateLimiter } = await import('../server/postgres/rate-limiter.ts');
  const state = await PostgresState.open(pg, database);
  try {
    const { url, redact } = database;
    const jobs = await BossJobs.open(boss, { ...parts, url, redact });
    return {
      state,
      texts: textsInState(state),
      limiter: createSharedRateLimiter(limiter, state, parts.tier),
      jobs,
      async close() {
        await jobs.close();
        await state.close();
      },
    };
  } catch (error) {
    await state.close();
    throw error;
  }
}
