// Whoever asked has left: the engine ends what it computes, and says so by the reason of the signal alone.
import { join } from 'node:path';

import * as clickhouse from '@clickhouse/client';
import * as pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { ClickHouse } from '../../src/engines/clickhouse/clickhouse.ts';
import { Engine } from '../../src/engines/duckdb/engine.ts';
import { Postgres } from '../../src/engines/postgres/postgres.ts';
import {
  type ClickHouseCluster,
  isClickHouseInstalled,
  startClickHouseCluster,
} from '../support/clickhouse-server.ts';
import { isPostgresInstalled, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { dataFolder } from '../support/served.ts';

const limits = { schemas: undefined, timeout: 60_000, redact: (text: string) => text };

/** Runs a query until it is seen to run, leaves, and returns what its caller gets. */
async function leave(
  query: (signal: AbortSignal) => Promise<unknown>,
  isRunning: () => Promise<boolean>,
): Promise<unknown> {
  const caller = new AbortController();
  const outcome = query(caller.signal).catch((error: unknown) => error);
  await vi.waitFor(async () => expect(await isRunning()).toBe(true), 20_000);
  caller.abort(new Error('left'));
  await vi.waitFor(async () => expect(await isRunning()).toBe(false), 20_000);
  return outcome;
}

describe.runIf(isPostgresInstalled)('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(async () => server.stop());

  test(
    'cancels the query of a caller who leaves, and its connection is used again',
    { timeout: 60_000 },
    async () => {
      const database = new Postgres(pg, { ...limits, url: server.url });
      const [[pid] = []] = await database.query('SELECT pg_backend_pid()');
      const isRunning = async () => {
        const [[count] = []] = await database.query(
          "SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%pg_sleep(55)%' AND state = 'active' AND pid <> pg_backend_pid()",
        );
        return count !== 0;
      };
      expect(await leave(async (signal) => database.query('SELECT pg_sleep(55)', signal), isRunning)).toEqual(
        new Error('left'),
      );
      const pids = await database.query('SELECT pid FROM pg_stat_activity');
      expect(pids.flat()).toContain(pid);
      expect(await database.query('SELECT 1')).toEqual([[1]]);
      const aborted = AbortSignal.abort(new Error('left before'));
      await expect(database.query('SELECT 1', aborted)).rejects.toThrow('left before');
      await database.close();
    },
  );
});

describe.runIf(isClickHouseInstalled)('ClickHouse', () => {
  let cluster: ClickHouseCluster;
  beforeAll(async () => {
    cluster = await startClickHouseCluster();
  }, 60_000);
  afterAll(async () => cluster.stop());

  test('ends the query of a caller who leaves', { timeout: 60_000 }, async () => {
    const database = new ClickHouse(clickhouse, {
      ...limits,
      url: `clickhouse://127.0.0.1:${cluster.ports[0]}`,
    });
    const isRunning = async () => {
      const count = await cluster.run(
        0,
        "SELECT count() FROM system.processes WHERE query LIKE '%max(number)%' AND query NOT LIKE '%processes%'",
      );
      return count.trim() !== '0';
    };
    const endless = 'SELECT max(number) FROM system.numbers';
    expect(await leave(async (signal) => database.query(endless, signal), isRunning)).toEqual(
      new Error('left'),
    );
    expect(await database.query('SELECT 1')).toEqual([[1]]);
    await database.close();
  });
});

describe('DuckDB', () => {
  test(
    'interrupts the query of a caller who leaves, and its process takes the next one',
    { timeout: 60_000 },
    async () => {
      await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
      const engine = new Engine({ tempDirectory: join(folder.parent, 'temp'), timeout: 60_000 });
      const files = [join(folder.path, 'a.csv')];
      await engine.query(files, 'SELECT 1');
      const caller = new AbortController();
      const endless = 'SELECT count(*) FROM range(1000000000000) AS x, range(1000000) AS y';
      const both = [0, 1].map(async () =>
        engine.query(files, endless, caller.signal).catch((error: unknown) => error),
      );
      // Its process starts later than theirs, which run: by now they have their query.
      await engine.query([], 'SELECT 1');
      caller.abort(new Error('left'));
      expect(await Promise.all(both)).toEqual([new Error('left'), new Error('left')]);
      // Both processes are free again.
      expect(await Promise.all([0, 1].map(async () => engine.query(files, 'SELECT 1')))).toEqual([
        [[1]],
        [[1]],
      ]);
      await engine.close();
    },
  );
});
