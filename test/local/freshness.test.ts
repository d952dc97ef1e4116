import { expect, test } from 'vitest';

import { withTableFreshness } from '../../src/local/table-freshness.ts';
import type { LocalAsset } from '../../src/server/assets.ts';
import { serve } from '../support/served.ts';

const minute = 60_000;

async function freshness(files: Readonly<Record<string, string>>, configuration: unknown) {
  await using served = await serve({
    ...files,
    'dq.json': JSON.stringify({ assets: [{ name: 'shop', freshness: configuration }] }),
  });
  const { status, body } = await served.call('GET', `/api/v1/assets/${served.assetId}/freshness`);
  return { status, message: (body as { message?: unknown }).message, ...body.data };
}

function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * minute);
}

const table = 'shop.main.orders';

test.each([
  [10, '90m', 'fresh', 'within_sla'],
  [80, '90m', 'fresh', 'warning'],
  [100, '90m', 'stale', 'violated'],
  [100, '2h', 'fresh', 'warning'],
  [23 * 60, '24h', 'fresh', 'warning'],
  [47 * 60, '2d', 'fresh', 'warning'],
  [49 * 60, '2d', 'stale', 'violated'],
])('data of %i minutes within %s is %s', async (age, threshold, status, sla) => {
  const newest = minutesAgo(age).toISOString();
  const files = { 'orders.csv': `at,id\n2001-01-01T00:00:00Z,1\n${newest},2\n,3\n2002-01-01T00:00:00Z,4\n` };
  expect(await freshness(files, { table, timestamp_column: 'at', threshold })).toMatchObject({
    asset: 'shop',
    status,
    sla_status: sla,
    sla_threshold: threshold,
    last_updated: `${newest.slice(0, 19)}Z`,
    timestamp_column: 'at',
    data_age_minutes: age,
  });
});

test('times without a zone are UTC, with one they are what they say', async () => {
  const utc = minutesAgo(30).toISOString().slice(0, 19);
  for (const written of [
    utc,
    utc.replace('T', ' '),
    `${utc}+00:00`,
    `${new Date(Date.parse(`${utc}Z`) + 120 * minute).toISOString().slice(0, 19)}+02:00`,
  ]) {
    const files = { 'orders.json': JSON.stringify([{ at: written }, { at: 'not a time' }]) };
    expect(await freshness(files, { table, timestamp_column: 'at', threshold: '1h' })).toMatchObject({
      status: 'fresh',
      data_age_minutes: 30,
    });
  }
});

test('without a timestamp column, a table, rows or times it is unknown', async () => {
  const files = { 'orders.csv': 'at,id\n,1\n', 'empty.csv': 'at\n' };
  for (const configuration of [
    { table },
    { timestamp_column: 'at' },
    { table, timestamp_column: 'at' },
    { table, timestamp_column: 'gone' },
    { table, timestamp_column: 'id' },
    { table: 'shop.main.empty', timestamp_column: 'at' },
    { table: 'shop.main.gone', timestamp_column: 'at' },
  ]) {
    expect(await freshness(files, configuration)).toMatchObject({
      status: 'unknown',
      last_updated: null,
      data_age_minutes: null,
      sla_threshold: '24h',
    });
  }
});

test('the overview lists the tables', async () => {
  await using served = await serve({
    'orders.csv': `at\n${minutesAgo(5).toISOString()}\n`,
    'eu/people.csv': 'id\n',
    'dq.json': JSON.stringify({ assets: [{ freshness: { table, timestamp_column: 'at' } }] }),
  });
  const { body } = await served.call('GET', `/api/v1/assets/${served.assetId}/freshness?page=1`);
  expect(body.data?.['items']).toMatchObject([
    { table_path: 'shop.eu.people', status: 'unknown' },
    { table_path: 'shop.main.orders', status: 'ready' },
  ]);
});

test('an asset is as fresh as the worst of its tables, of dq.json and of the options, which replace what it says', async () => {
  const orders = 'shop.main.orders';
  const at = 'at';
  await using served = await serve(
    {
      'orders.csv': `at\n${minutesAgo(90).toISOString()}\n`,
      'people.csv': `at\n${minutesAgo(5).toISOString()}\n`,
      'old.csv': `at\n${minutesAgo(500).toISOString()}\n`,
      'dq.json': JSON.stringify({
        assets: [
          {
            freshness: [
              { table: 'shop.main.people', timestamp_column: at, threshold: '1h' },
              { table: 'shop.main.old', timestamp_column: at, threshold: '1h' },
            ],
          },
        ],
      }),
    },
    {
      freshness: {
        [orders]: { timestamp_column: at, threshold: '1h' },
        'shop.main.old': { timestamp_column: at, threshold: '2d' },
      },
    },
  );
  const path = `/api/v1/assets/${served.assetId}/freshness`;
  const { body } = await served.call('GET', path);
  expect(body.data).toMatchObject({ status: 'stale', data_age_minutes: 90, sla_threshold: '1h' });
  const overview = await served.call('GET', `${path}?page=1`);
  expect(overview.body.data?.['items']).toMatchObject([
    { table_path: 'shop.main.old', status: 'ready', freshness: { sla_threshold: '2d' } },
    { table_path: orders, status: 'not_ready' },
    { table_path: 'shop.main.people', status: 'ready' },
  ]);
});

test.each([
  [{ 'lake.main.orders': {} }, 'no asset has the table lake.main.orders'],
  [{ 'shop.main.orders': { threshold: 'soon' } }, 'the threshold of shop.main.orders must look like 90m'],
])('the freshness %j is refused', async (byTable, message) => {
  await expect(serve({ 'orders.csv': 'at\n' }, { freshness: byTable })).rejects.toThrow(message);
});

test('a table that does not exist is reported at the start, with the one that was probably meant', async () => {
  const problems: string[] = [];
  const configured = [
    { table: 'shop.main.ordres', timestamp_column: 'at' },
    { table: 'shop.main.people', timestamp_column: 'at' },
  ];
  await using served = await serve(
    {
      'orders.csv': 'at\n',
      'people.csv': 'at\n',
      'dq.json': JSON.stringify({ assets: [{ freshness: configured }] }),
    },
    { onError: (error) => problems.push(String(error)) },
  );
  const missing = 'there is no table shop.main.ordres: did you mean shop.main.orders?';
  expect(problems).toEqual([expect.stringContaining(`freshness of shop: ${missing}`)]);
  const { body } = await served.call('GET', `/api/v1/assets/${served.assetId}/freshness`);
  expect(body).toMatchObject({
    data: { status: 'unknown' },
    message: expect.stringContaining(missing) as unknown,
  });
});

test('a table belongs to the asset with the longest name that its path begins with', () => {
  const assets = ['a', 'a.b', 'ab'].map((name) => localAsset(name));
  const byTable = { 'a.b.main.t': {}, 'a.b.t': {}, 'a.c.t': {}, 'ab.c.t': {} };
  const tables = withTableFreshness(assets, byTable).map(({ name, freshness: rows }) => [
    name,
    rows.map(({ table: path }) => path),
  ]);
  expect(tables).toEqual([
    ['a', ['a.b.t', 'a.c.t']],
    ['a.b', ['a.b.main.t']],
    ['ab', ['ab.c.t']],
  ]);
});

function localAsset(name: string): LocalAsset {
  return { id: name, numericId: 1, name, path: `/${name}`, source: undefined, freshness: [] };
}

function column(name: string) {
  return { table, timestamp_column: name };
}

test('unknown says why', async () => {
  const files = {
    'orders.csv': 'at,id,day,year,name\n,1,05/01/2024,2024,ann\n,2,01/31/2024,2023,bob\n',
    'broken.csv': 'at,id\n1\n',
  };
  for (const [configuration, message] of [
    [{ table }, 'no timestamp_column is configured for the freshness of this asset'],
    [{ timestamp_column: 'at' }, 'no table is configured for the freshness of this asset'],
    [column('att'), 'shop.main.orders has no column att; its columns are at, id, day, year, name'],
    [column('at'), 'the column at has no values'],
    [column('name'), 'the column name has no times: write them as 2024-01-31T10:00:00Z or as'],
    [column('id'), 'the column id has no times'],
    [column('year'), 'the column year has no times'],
    [column('day'), 'the dates in day can be read as day/month or as month/day: write them as 2024-01-31'],
    [{ table: 'shop.main.order', timestamp_column: 'at' }, 'there is no table shop.main.order'],
    [{ table: 'shop.main.broken', timestamp_column: 'at' }, 'line 2 has 1 field instead of 2'],
  ] as const) {
    expect(await freshness(files, configuration)).toMatchObject({
      status: 'unknown',
      last_updated: null,
      message: expect.stringContaining(message) as unknown,
    });
  }
}, 30_000);

test('values in the future are left out and counted', async () => {
  const soon = minutesAgo(-4).toISOString();
  const old = minutesAgo(90).toISOString();
  const at = { table, timestamp_column: 'at', threshold: '1h' };
  expect(await freshness({ 'orders.csv': `at\n2020-01-01\n2099-01-01\n9999-12-31\n` }, at)).toMatchObject({
    status: 'stale',
    last_updated: '2020-01-01T00:00:00Z',
    message: '2 values of at more than 5 minutes in the future were left out',
  });
  expect(await freshness({ 'orders.csv': `at\n2099-01-01\n` }, at)).toMatchObject({
    status: 'unknown',
    last_updated: null,
    message: '1 value of at more than 5 minutes in the future was left out',
  });
  expect(await freshness({ 'orders.csv': `at\n${old}\n${soon}\n` }, at)).toMatchObject({
    status: 'fresh',
    data_age_minutes: 0,
    message: null,
  });
});

test('numbers are seconds, milliseconds, micro- or nanoseconds since 1970', async () => {
  const time = minutesAgo(30).getTime();
  for (const value of [time / 1000, time, time * 1000, `${time}000000`]) {
    const files = { 'orders.json': JSON.stringify([{ at: 12 }, { at: value }]) };
    expect(await freshness(files, { table, timestamp_column: 'at', threshold: '1h' })).toMatchObject({
      status: 'fresh',
      data_age_minutes: 30,
    });
  }
});
