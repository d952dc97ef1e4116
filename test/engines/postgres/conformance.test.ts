// The same rows in a file and in PostgreSQL: every rule and metric counts the same.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isPostgresInstalled, type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { serve, type Served } from '../../support/served.ts';
import { messyRows, metricCases, ruleCases } from '../rows.ts';
import { capture, check, type Subject, valuesOf, writeMessyParquet } from '../subject.ts';

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
    await client.end();
    served = await serve({}, { sources: { shop2: server.url } });
    await writeMessyParquet(served.folder.path);
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
});
