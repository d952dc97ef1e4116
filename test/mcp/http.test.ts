import { request } from 'node:http';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { callTool, serveMcp, table } from './served-mcp.ts';

let subject: Awaited<ReturnType<typeof serveMcp>>;
let guarded: Awaited<ReturnType<typeof serveMcp>>;
beforeAll(async () => {
  subject = await serveMcp({ http: { allowedHosts: ['quality.example.com'] } });
  guarded = await serveMcp({ http: { token: 's3cret' } });
}, 60_000);
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
  await guarded[Symbol.asyncDispose]();
});

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** Sends a request as no browser and no `fetch` would let a page send it: with a Host of its own. */
async function send(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'POST', body = listTools } = {},
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  const sent = request(
    url,
    {
      method,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
    },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body: text }));
    },
  );
  sent.on('error', reject);
  sent.end(method === 'GET' ? undefined : body);
  return promise;
}

test.each([
  { what: 'without an Origin', headers: {}, status: 200 },
  { what: 'from a page of this machine', headers: { Origin: 'http://localhost:3000' }, status: 200 },
  { what: 'from a page of another site', headers: { Origin: 'https://evil.example' }, status: 403 },
  { what: 'from a page without an origin', headers: { Origin: 'null' }, status: 403 },
  { what: 'by a name that leads here by a trick', headers: { Host: 'evil.example' }, status: 403 },
  { what: 'by a name that was allowed', headers: { Host: 'quality.example.com' }, status: 200 },
])('a request $what gets $status', async ({ headers, status }) => {
  const response = await send(subject.url, headers);
  expect(response.status).toBe(status);
  expect(response.body.includes('validity_list')).toBe(status === 200);
});

test.each([
  { headers: {}, status: 401 },
  { headers: { Authorization: 'Bearer wrong' }, status: 401 },
  { headers: { Authorization: 'Bearer ' }, status: 401 },
  { headers: { Authorization: 's3cret' }, status: 401 },
  { headers: { Authorization: 'Bearer s3cret' }, status: 200 },
  { headers: { Authorization: 'bearer s3cret' }, status: 200 },
])('a server with a token returns $status for $headers', async ({ headers, status }) => {
  expect((await send(guarded.url, headers)).status).toBe(status);
});

test('what is not a message is refused, and the server goes on', async () => {
  expect((await send(subject.url.replace('/mcp', '/'))).status).toBe(404);
  expect((await send(subject.url, {}, { body: '{' })).status).toBe(400);
  expect((await send(subject.url, { 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await send(subject.url, {}, { method: 'GET' })).status).toBe(405);
  expect((await send(subject.url, {}, { method: 'TRACE' })).status).toBe(400);
  expect((await send(subject.url, {}, { body: 'x'.repeat(5_000_000) })).status).toBe(413);
  expect((await send(subject.url)).status).toBe(200);
});

test.each(['legacy', 'auto'] as const)('a client of the %s protocol lists and calls tools', async (mode) => {
  const client = await guarded.connect({ versionNegotiation: { mode } }, { Authorization: 'Bearer s3cret' });
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
  expect(client.getServerVersion()).toMatchObject({ name: 'data-quality', version: '1.2.3' });
  const { value } = await callTool(client, 'tables_list');
  expect(value).toMatchObject({ tables: [{ table_path: table }] });
});
