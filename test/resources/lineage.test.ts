import { copyFile, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ManifestSource } from '../../src/index.ts';
import { answers, fails, startServer } from '../support/server.ts';
import { assetId, createClient, useService } from './service.ts';
import { testFolder } from '../support/test-folder.ts';

const manifest = {
  metadata: { dbt_schema_version: 'v12' },
  nodes: { 'model.shop.orders': { ünïcode: '✓' } },
};
const json = JSON.stringify(manifest);
const answer = { sync_stats: { nodes_created: 1, edges_created: 0 }, job: 'kept' };

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(testFolder, 'lineage-'));
  file = join(folder, 'my "own" manifest.json');
  await writeFile(file, json);
  await writeFile(join(folder, 'empty.json'), '');
});
afterAll(() => rm(folder, { recursive: true }));

/** The one file part of a multipart form. */
function partOf(body: string, contentType: string | undefined): { head: string; content: string } {
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(contentType ?? '')?.[1] ?? '';
  const [before, part = '', after] = body.split(`--${boundary}`);
  expect([before, after]).toEqual(['', '--\r\n']);
  const end = part.indexOf('\r\n\r\n');
  return { head: part.slice(2, end), content: part.slice(end + 4, -2) };
}

describe('upload', () => {
  const sources: [string, () => ManifestSource, string][] = [
    ['a path', () => file, 'my %22own%22 manifest.json'],
    ['a file: URL', () => pathToFileURL(file), 'my %22own%22 manifest.json'],
    ['a Blob', () => new Blob([json]), 'manifest.json'],
    ['a File', () => new File([json], 'named.json'), 'named.json'],
    ['a Uint8Array', () => new TextEncoder().encode(json), 'manifest.json'],
    ['a Buffer inside of a larger one', () => Buffer.from(`xx${json}`).subarray(2), 'manifest.json'],
    ['an ArrayBuffer', () => new TextEncoder().encode(json).buffer, 'manifest.json'],
    ['the parsed object', () => manifest, 'manifest.json'],
  ];

  test.each(sources)('sends %s as one file part', async (_, source, filename) => {
    await using server = await startServer(answers(200, { data: answer }));
    const client = createClient({ baseUrl: server.url });

    expect(await client.lineage.upload(assetId, source())).toEqual(answer);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', url: `/api/v1/assets/${assetId}/lineage/upload` });
    expect(request?.headers.authorization).toMatch(/^Bearer /);
    const part = partOf(request?.body ?? '', request?.headers['content-type']);
    expect(part.head).toBe(
      `Content-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: application/json`,
    );
    expect(part.content).toBe(json);
  });

  test('sends the whole file again after a 429', async () => {
    await using server = await startServer(
      fails(429, 'RATE_LIMITED', {}, { 'retry-after': '0' }),
      answers(200, { data: answer }),
    );
    const client = createClient({ baseUrl: server.url });

    await client.lineage.upload(assetId, file, { filename: 'orders.json' });
    const parts = server.requests.map(({ body, headers }) => partOf(body, headers['content-type']));
    expect(parts.map(({ content }) => content)).toEqual([json, json]);
    expect(parts[0]?.head).toContain('filename="orders.json"');
  });

  test('is not sent again once it may have arrived', async () => {
    await using server = await startServer(fails(503, 'INTERNAL_ERROR'));
    const client = createClient({ baseUrl: server.url });
    await expect(client.lineage.upload(assetId, file)).rejects.toMatchObject({
      name: 'InternalError',
      attempts: 1,
      mayHaveBeenProcessed: true,
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('with MSW', () => {
  const service = useService();
  const client = createClient();

  test.each([[{ data: answer }], [answer]])('reads %j', async (body) => {
    service.answer(body);
    expect(await client.lineage.upload(assetId, manifest)).toEqual(answer);
  });

  test.each([
    ['a file that is not there', () => join(folder, 'none.json'), /none\.json cannot be read.*ENOENT/],
    ['a folder', () => folder, /is not a file/],
    ['an empty file', () => join(folder, 'empty.json'), /empty\.json is empty/],
    ['a web address', () => new URL('https://example.com/manifest.json'), /cannot be read/],
    ['an object that is no JSON', () => ({ size: 1n }), /is not a JSON value/],
    ['an empty Uint8Array', () => new Uint8Array(), /manifest must not be empty/],
    ['an empty ArrayBuffer', () => new ArrayBuffer(0), /manifest must not be empty/],
    ['an empty Blob', () => new Blob([]), /manifest must not be empty/],
    ['nothing', () => undefined as unknown as string, /manifest/],
    ['null', () => null as unknown as string, /manifest/],
    ['a number', () => 7 as unknown as string, /manifest/],
    ['a function', () => (() => 1) as unknown as string, /manifest/],
  ])('refuses %s before any request', async (_, source, message) => {
    const error: unknown = await client.lineage.upload(assetId, source()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringMatching(message),
    });
    expect(service.requests).toHaveLength(0);
  });
});

describe('a file that is read while it is sent', () => {
  test('and has gone by then is an error of ours that says nothing was processed', async () => {
    await using server = await startServer(answers(200, { data: answer }));
    const copy = join(folder, 'short-lived.json');
    await copyFile(file, copy);
    const client = createClient({
      baseUrl: server.url,
      fetch: async (input, init) => {
        await rm(copy);
        return fetch(input, init);
      },
    });
    const error: unknown = await client.lineage.upload(assetId, copy).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringMatching(/short-lived\.json cannot be read.*ENOENT/),
      mayHaveBeenProcessed: false,
    });
  });

  test.runIf(process.platform === 'linux')('is closed when the connection is refused', async () => {
    const closed = await startServer(answers(200, {}));
    await closed[Symbol.asyncDispose]();
    const client = createClient({ baseUrl: closed.url, maxRetries: 2 });
    for (let call = 0; call < 3; call++) {
      const error: unknown = await client.lineage.upload(assetId, file).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ConnectionError', attempts: 3, mayHaveBeenProcessed: false });
    }
    const descriptors = await readdir('/proc/self/fd');
    const open = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    expect(open.filter((path) => path === file)).toEqual([]);
  });
});
