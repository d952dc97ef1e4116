import { symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type LocalServiceOptions, startLocalService } from 'data-quality-client/local';
import { describe, expect, test } from 'vitest';

import { dataFolder, serve } from '../support/served.ts';

async function failureOf(options: unknown, configuration?: string): Promise<string> {
  await using folder = await dataFolder({
    'a.csv': 'a\n1\n',
    'eu/b.csv': 'b\n1\n',
    ...(configuration === undefined ? {} : { 'dq.json': configuration }),
  });
  const given = { data: folder.path, ...(options as Partial<LocalServiceOptions>) };
  const failure = await startLocalService(given).then(
    async (service) => service.close(),
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ name: 'ConfigurationError', code: 'CONFIGURATION' });
  return (failure as Error).message;
}

describe('options', () => {
  test.each([
    [{ data: '' }, 'data must be the path of a folder'],
    [{ data: 7 }, 'data must be the path of a folder'],
    [{ data: '/nowhere/at/all' }, 'data: /nowhere/at/all cannot be read'],
    [{ data: import.meta.filename }, 'is not a folder'],
    [{ port: -1 }, 'port must be'],
    [{ port: 1.5 }, 'port must be'],
    [{ port: 70_000 }, 'port must be'],
    [{ host: '' }, 'host must be'],
    [{ host: '203.0.113.7' }, 'Cannot listen on 203.0.113.7, port 0'],
    [{ tier: 'gold' }, 'tier must be one of free_trial, starter, growth, professional, enterprise'],
    [{ keys: { admin: 'with space' } }, 'keys.admin must be'],
    [{ keys: { admin: 'same', readOnly: 'same' } }, 'keys must be three different keys'],
    [{ queryTimeout: 0 }, 'queryTimeout must be'],
    [{ state: '/dev/null/state' }, 'Name a folder that can be written with the option state'],
    [{ stat: 'x' }, 'Unknown option stat. Valid options: data, port'],
  ])('%o', async (options, message) => {
    expect(await failureOf(options)).toContain(message);
  });

  test('a port in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await failureOf({ port })).toContain('EADDRINUSE');
    server.close();
  });

  test('a state that another service uses', async () => {
    await using served = await serve({ 'a.csv': 'a\n1\n' });
    expect(await failureOf({ state: served.service.state })).toContain(
      'Another local service uses the state',
    );
  });

  test('keys that are given, a folder as URL, and a state elsewhere', async () => {
    await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
    const keys = { readOnly: 'r', readWrite: 'w', admin: 'a' };
    await using service = await startLocalService({
      data: pathToFileURL(folder.path),
      state: join(folder.parent, 'elsewhere'),
      keys,
    });
    expect(service.keys).toEqual(keys);
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});

describe('dq.json', () => {
  test.each([
    ['{', 'is not JSON'],
    ['[]', 'expected object'],
    ['{"asets": []}', 'asets is not known'],
    ['{"assets": [{"nme": "x"}]}', 'assets.0.nme is not known'],
    ['{"assets": [{"name": "x", "freshness": {"tabel": "y"}}]}', 'assets.0.freshness.tabel is not known'],
    ['{"assets": [{"freshness": {"threshold": "soon"}}]}', 'assets.0.freshness.threshold must look like 90m'],
    ['{"assets": [{"name": "x", "id": "7"}]}', 'assets.0.id must be a UUID'],
    ['{"assets": [{"name": "x"}]}', 'the asset x needs a path'],
    ['{"assets": [{"name": "x", "path": "none"}]}', 'has a path that does not exist: none'],
    ['{"assets": [{"name": "x", "path": ".."}]}', 'leads out of the data folder'],
    ['{"assets": [{"name": "x", "path": "eu/../.."}]}', 'leads out of the data folder'],
    ['{"assets": [{"name": "x", "path": "eu"}, {"name": "x", "path": "."}]}', 'the same name'],
    ['{"assets": [{"name": "shop", "path": "eu"}]}', 'takes no other path'],
    ['{"destinations": [{"name": "x"}]}', 'destinations.0.url'],
    ['{"destinations": [{"url": "https://a.example", "auth": {"basic": "x"}}]}', 'destinations.0.auth'],
  ])('%s', async (configuration, message) => {
    expect(await failureOf({}, configuration)).toContain(message);
  });
});

describe('assets', () => {
  test('the folder, and what dq.json adds', async () => {
    const id = 'A3BB1898-2f3e-4b6d-9d2f-0c8f5b0a7e11';
    await using served = await serve({
      'a.csv': 'a\n1\n',
      'eu/b.csv': 'b\n1\n2\n',
      'eu/west/c.csv': 'c\n1\n2\n3\n',
      'dq.json': JSON.stringify({
        assets: [
          { name: 'europe', path: 'eu' },
          { name: 'all', path: '.', id },
        ],
      }),
    });
    expect(served.service.assets).toEqual([
      // The same on every machine: made from the name alone.
      { id: 'bf303a5f-643e-8a5e-ae98-e5409cb19216', name: 'shop' },
      { id: 'd2528cd0-9b98-8bb5-be40-889cd0bf0167', name: 'europe' },
      { id: id.toLowerCase(), name: 'all' },
    ]);
    const counts = async (assetId: string | undefined, tablePath: string) => {
      const base = `/api/v1/sdk/metrics/${assetId}`;
      const metric = { metric_type: 'row_count', table_path: tablePath };
      const { body } = await served.call('POST', base, metric);
      const captured = await served.call('POST', `${base}/${String(body.data?.['id'])}/capture`);
      return captured.body.data?.['snapshots'];
    };
    const [shop, europe, all] = served.service.assets;
    expect(await counts(shop?.id, 'shop.eu.b')).toMatchObject([{ value: 2 }]);
    expect(await counts(europe?.id, 'europe.main.b')).toMatchObject([{ value: 2 }]);
    expect(await counts(europe?.id, 'europe.west.c')).toMatchObject([{ value: 3 }]);
    expect(await counts(all?.id, 'all.eu.b')).toMatchObject([{ value: 2 }]);
    expect(await counts(europe?.id, 'shop.eu.b')).toMatchObject([{ value: null, status: 'ERROR' }]);
  });

  test('hidden files, the state and dq.json are not tables', async () => {
    await using served = await serve({
      'a.csv': 'a\n',
      '.hidden.csv': 'a\n',
      '.secret/x.csv': 'a\n',
      'readme.md': '',
      'dq.json': '{}',
      'b.PARQUET': '',
    });
    await served.folder.write('.data-quality/x.csv', 'a\n');
    await symlink(join(served.folder.path, 'a.csv'), join(served.folder.path, 'linked.csv'));
    expect((await served.check('none', { rule_type: 'NOT_NULL', column_name: 'a' })).error_message).toBe(
      'there is no table shop.main.none; the tables are shop.main.a, shop.main.b, shop.main.linked',
    );
    expect(await served.check('linked', { rule_type: 'NOT_NULL', column_name: 'a' })).toMatchObject({
      status: 'pass',
    });
  });
});
