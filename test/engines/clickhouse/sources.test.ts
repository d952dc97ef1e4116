// A ClickHouse as a source of the service: movies, freshness, and a user who may change no setting.
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type ClickHouseCluster,
  isClickHouseInstalled,
  startClickHouseCluster,
} from '../../support/clickhouse-server.ts';
import { serve, type Served } from '../../support/served.ts';
import { movieMetrics, movieRules, movies } from '../movies.ts';
import type { RuleCase } from '../rows.ts';
import { capture, check, type Subject } from '../subject.ts';

const texts = ['Title', 'Major Genre', 'MPAA Rating', 'Release Date'];

describe.runIf(isClickHouseInstalled)('a ClickHouse source', () => {
  let cluster: ClickHouseCluster;
  let served: Served;
  let file: Subject;
  let database: Subject;

  beforeAll(async () => {
    cluster = await startClickHouseCluster();
    const columns = texts.map((name) => `\`${name}\` Nullable(String)`).join(', ');
    await cluster.run(0, `CREATE TABLE movies (${columns}, \`IMDB Rating\` Nullable(Float64)) ENGINE = Log`);
    const rows = JSON.parse(await readFile(movies, 'utf8')) as readonly Readonly<
      Record<string, string | number | null>
    >[];
    const lines = rows.map((row) => {
      const read = texts.map((name) => [name, row[name]?.toString() ?? null] as const);
      return JSON.stringify({ ...Object.fromEntries(read), 'IMDB Rating': row['IMDB Rating'] });
    });
    await cluster.run(0, `INSERT INTO movies FORMAT JSONEachRow\n${lines.join('\n')}`);
    await cluster.run(0, "CREATE TABLE seen (at DateTime('UTC')) ENGINE = Log");
    await cluster.run(0, "INSERT INTO seen VALUES ('2024-01-31 08:00:00'), ('2024-01-30 08:00:00')");
    const url = (user: string) => `clickhouse://${user}@127.0.0.1:${cluster.ports[0]}/default`;
    const freshness = { table: 'events.default.seen', timestamp_column: 'at', threshold: '24h' };
    served = await serve(
      { 'dq.json': JSON.stringify({ assets: [{ name: 'events', freshness }] }) },
      { sources: { events: url('default'), bounded: url('bounded') } },
    );
    await copyFile(movies, join(served.folder.path, 'movies.json'));
    file = { assetId: idOf('shop'), table: 'shop.main.movies' };
    database = { assetId: idOf('events'), table: 'events.default.movies' };
  }, 120_000);
  afterAll(async () => {
    await served?.[Symbol.asyncDispose]();
    await cluster?.stop();
  });

  const idOf = (name: string) => served.service.assets.find((asset) => asset.name === name)?.id ?? '';

  test.each(movieRules.map((rule) => ({ rule })))('counts movies as a file does: $rule', async ({ rule }) => {
    const expected = await check(served, file, rule);
    expect(Number(expected.total)).toBeGreaterThan(3000);
    expect(await check(served, database, rule)).toMatchObject({
      total: expected.total,
      invalid: expected.invalid,
    });
  });

  test.each(movieMetrics.map((metric) => ({ metric })))(
    'measures movies as a file does: $metric',
    async ({ metric }) => {
      expect(await capture(served, database, metric)).toEqual(await capture(served, file, metric));
    },
  );

  test('is as fresh as the newest of its times', async () => {
    const { body } = await served.call('GET', `/api/v1/assets/${idOf('events')}/freshness`);
    expect(body.data).toMatchObject({ status: 'stale', last_updated: '2024-01-31T08:00:00Z' });
  });

  test('runs rules as a user whose profile is read-only, who may change no setting', async () => {
    const bounded = { assetId: idOf('bounded'), table: 'bounded.default.movies' };
    const rule: RuleCase = ['Major Genre', 'NOT_NULL', undefined, false];
    const expected = await check(served, database, rule);
    expect(expected.error).toBeUndefined();
    expect(await check(served, bounded, rule)).toMatchObject({
      total: expected.total,
      invalid: expected.invalid,
    });
  });
});
