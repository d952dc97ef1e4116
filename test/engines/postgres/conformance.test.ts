// The same rows in a file and in PostgreSQL: every rule and metric counts the same.
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isPostgresInstalled, type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { serve, type Served } from '../../support/served.ts';
import { movieMetrics, movieRules, movies } from '../movies.ts';
import { messyRows, type MetricCase, metricCases, ruleCases } from '../rows.ts';
import { capture, check, type Subject, valuesOf, writeMessyParquet } from '../subject.ts';

const metrics: readonly MetricCase[] = [...movieMetrics, ['percentile', 'IMDB Rating', 95]];

describe.runIf(isPostgresInstalled)('PostgreSQL', () => {
  let server: PostgresServer;
  let served: Served;
  let file: Subject;
  let database: Subject;

  beforeAll(async () => {
    server = await startPostgres();
    const client = new Client(server.url);
    await client.connect();
    await client.query(
      'CREATE TABLE messy (id integer PRIMARY KEY, txt text, num float8, flt real, big bigint, price numeric(10, 2), day text, seen timestamp)',
    );
    for (const row of messyRows) await client.query(`INSERT INTO messy VALUES (${valuesOf(row).join(', ')})`);
    const columns =
      '"Title" text, "Major Genre" text, "MPAA Rating" text, "Release Date" text, "IMDB Rating" float8';
    await client.query(`CREATE TABLE movies (${columns})`);
    await client.query(`INSERT INTO movies SELECT * FROM jsonb_to_recordset($1) AS movie(${columns})`, [
      await readFile(movies, 'utf8'),
    ]);
    await client.end();
    served = await serve({}, { sources: { shop2: server.url } });
    await writeMessyParquet(served.folder.path);
    await copyFile(movies, join(served.folder.path, 'movies.json'));
    const idOf = (name: string) => served.service.assets.find((asset) => asset.name === name)?.id ?? '';
    file = { assetId: idOf('shop'), table: 'shop.main.messy' };
    database = { assetId: idOf('shop2'), table: 'shop2.public.messy' };
  });
  afterAll(async () => {
    await served?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  test.each(ruleCases.map((rule) => ({ rule })))('a rule: $rule', async ({ rule }) => {
    const [expected, found] = [await check(served, file, rule), await check(served, database, rule)];
    expect(expected.error).toBeUndefined();
    expect(found).toMatchObject({ total: expected.total, invalid: expected.invalid });
    expect(found.samples).toHaveLength(Number(expected.invalid));
    const rows = expected.samples?.map(({ row_id: row }) => Number(row) + 1);
    expect(found.samples?.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(rows);
  });

  test.each(metricCases.map((metric) => ({ metric })))('a metric: $metric', async ({ metric }) => {
    const expected = await capture(served, file, metric);
    expect(await capture(served, database, metric)).toEqual(expected);
  });

  test.each(movieRules.map((rule) => ({ rule })))('a rule over movies: $rule', async ({ rule }) => {
    const expected = await check(served, { ...file, table: 'shop.main.movies' }, rule);
    const found = await check(served, { ...database, table: 'shop2.public.movies' }, rule);
    expect(Number(expected.total)).toBeGreaterThan(3000);
    expect(found).toMatchObject({ total: expected.total, invalid: expected.invalid });
  });

  test.each(metrics.map((metric) => ({ metric })))('a metric of movies: $metric', async ({ metric }) => {
    const expected = await capture(served, { ...file, table: 'shop.main.movies' }, metric);
    expect(await capture(served, { ...database, table: 'shop2.public.movies' }, metric)).toEqual(expected);
  });
});
