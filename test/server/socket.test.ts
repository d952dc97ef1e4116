import { once } from 'node:events';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { listen, type Socket } from '../../src/server/socket.ts';
import { Random } from '../faults/random.ts';
import { attack } from '../faults/socket.ts';
import { aRule, assetId, keys, rules, serve } from '../service/parts.ts';
import { exchange as send, head as request } from '../support/raw-bytes.ts';

const failures: unknown[] = [];
let socket: Socket;

const onError = (error: unknown) => void failures.push(error);

beforeAll(async () => {
  socket = await listen(serve({ onError }).service, { host: '127.0.0.1', port: 0 }, onError);
});

afterAll(async () => socket.close(0));

const exchange = async (bytes: readonly (string | Uint8Array)[]) =>
  send(Number(new URL(socket.url).port), bytes);

const healthy = async () => {
  const response = await fetch(`${socket.url}${rules}/summary`, {
    headers: { Authorization: `Bearer ${keys.readOnly}` },
  });
  return response.status;
};

describe('a request that cannot be parsed', () => {
  test.each([
    'GET http://user:pass@x/ HTTP/1.1',
    'GET http://[::1/ HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'TRACE / HTTP/1.1',
  ])('%s gets a 400 and the next one is served', async (line) => {
    const response = await exchange([request([line])]);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('{"error":{"code":"VALIDATION_ERROR"');
    expect(await healthy()).toBe(200);
  });
});

test('no bytes that arrive on a socket end the process', { timeout: 60_000 }, async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const random = new Random(20_260_301);
  const fuzz = async () => exchange([attack(assetId, keys, random).bytes]).catch(() => undefined);
  for (let round = 0; round < 50; round += 1) {
    await Promise.all(Array.from({ length: 20 }, fuzz));
  }
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(failures).toEqual([]);
  expect(await healthy()).toBe(200);
});

describe('an upload that is refused while it still arrives', () => {
  const upload = `/api/v1/assets/${assetId}/lineage/upload`;
  const unknown = '/api/v1/assets/00000000-0000-4000-8000-000000000000/lineage/upload';
  const form = 'Content-Type: multipart/form-data; boundary=b';
  const cases = [
    ['401', upload, 'wrong', form],
    ['403', upload, keys.readOnly, form],
    ['404', unknown, keys.admin, form],
    ['415', upload, keys.admin, 'Content-Type: text/plain'],
    ['413', rules, keys.readWrite, 'Content-Type: application/json'],
  ] as const;

  describe.each([226_000, 1_100_000, 20_000_000])('of %i bytes', (bytes) => {
    const refused = cases.filter(([status]) => status !== '413' || bytes > 1024 * 1024);
    test.each(refused)('gets its %s: POST %s, key %s, %s', async (status, path, key, type) => {
      const head = request([
        `POST ${path} HTTP/1.1`,
        `Authorization: Bearer ${key}`,
        type,
        `Content-Length: ${bytes}`,
      ]);
      const chunk = Buffer.alloc(20_000, 'x');
      const chunks = Array.from({ length: bytes / chunk.byteLength }, () => chunk);
      const rest = Buffer.alloc(bytes - chunks.length * chunk.byteLength, 'x');
      expect(await exchange([head, ...chunks, rest])).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*}$`));
    });
  });
});

test('a client that goes away is not reported as a failure', async () => {
  failures.length = 0;
  const client = connect(Number(new URL(socket.url).port), '127.0.0.1');
  await once(client, 'connect');
  const head = request([
    `POST ${rules} HTTP/1.1`,
    `Authorization: Bearer ${keys.readWrite}`,
    'Content-Type: application/json',
    'Content-Length: 100',
  ]);
  client.write(`${head}{"rule_type"`);
  await vi.waitFor(async () => expect(await healthy()).toBe(200), 10_000);
  client.destroy();
  await once(client, 'close');
  expect(await healthy()).toBe(200);
  expect(failures).toEqual([]);
});

test('a client that leaves during a check ends it: nothing is stored, and nothing is reported as a failure', async () => {
  const failed: unknown[] = [];
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const { service, call } = serve({
    onError: (error) => void failed.push(error),
    evaluation: {
      checkRule: async (_rule, _limit, signal) => {
        begun.resolve(signal);
        if (signal === undefined) return { total_rows: 1, invalid_count: 0, samples: [] };
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
        throw new Error('it went on');
      },
    },
  });
  const open = await listen(service, { host: '127.0.0.1', port: 0 }, (error) => void failed.push(error));
  const created = await call('POST', rules, aRule);
  const path = `${rules}/${(created.body as { data: { uuid: string } }).data.uuid}`;
  const client = new AbortController();
  const headers = { Authorization: `Bearer ${keys.readWrite}` };
  const left = fetch(`${open.url}${path}/check`, { method: 'POST', headers, signal: client.signal });
  const signal = await begun.promise;
  client.abort();
  await expect(left).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(signal?.aborted).toBe(true), 10_000);
  await open.close(1000);
  expect(await call('GET', `${path}/results`)).toMatchObject({ body: { pagination: { total: 0 } } });
  expect(failed).toEqual([]);
});

test('listening on every address of the machine, its URL is one that can be connected to', async () => {
  const open = await listen(serve({}).service, { host: '0.0.0.0', port: 0 }, () => undefined);
  try {
    expect(open.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(open.url)).status).toBeGreaterThan(399);
  } finally {
    await open.close(0);
  }
});
