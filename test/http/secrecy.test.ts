import { inspect } from 'node:util';

import { expect, test } from 'vitest';

import { DataQualityClient, type Hooks } from '../../src/index.ts';
import { assetId, rejection, ruleId, skipBackOff, summary } from '../support/connect.ts';
import {
  answers,
  type Behaviour,
  fails,
  gives,
  hangs,
  redirects,
  resets,
  startServer,
  truncates,
} from '../support/server.ts';

skipBackOff();

// With characters that JSON escapes, or may escape.
const key = 'dq_"s3cr3t"/\\+';

/** The key as it is, and as JSON may write it. */
const spellings = [key, 's3cr3t', JSON.stringify(key).slice(1, -1)];

function shownBy(error: unknown): string {
  const { stack, message, cause } = error as Error;
  return [
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    String(error),
    String(stack),
    message,
    inspect(cause, { depth: Infinity, showHidden: true }),
  ].join('\n');
}

const echo = `your key ${key} is not welcome`;
const escapedBySlash = JSON.stringify({ error: { code: 'X', message: echo } }).replaceAll('/', '\\/');
const escapedByUnicode = JSON.stringify({ data: { id: key, status: 5 } }).replaceAll('3cr', '\\u0033cr');
const json = { 'content-type': 'application/json' };

const answersThatFail: [string, Behaviour][] = [
  ['an error that echoes it', fails(401, 'UNAUTHORIZED', { authorization: `Bearer ${key}`, [key]: 1 })],
  ['a message that echoes it', answers(400, { error: { code: 'X', message: echo } })],
  ['a message that echoes it, escaped', answers(400, escapedBySlash, json)],
  ['a code that echoes it', answers(400, { error: { code: key, message: echo } })],
  ['a plain string', answers(400, { error: echo })],
  ['an HTML error page', answers(502, `<html>${echo}</html>`)],
  ['an HTML page', answers(200, `<html>${echo}</html>`)],
  ['an odd body', answers(200, { data: { id: echo, status: 5, [key]: key } })],
  ['an odd body, escaped', answers(200, escapedByUnicode, json)],
  ['a reset', resets],
  ['a truncated body', truncates],
  ['a timeout', hangs],
  ['a redirect', redirects(`/login?key=${encodeURIComponent(key)}`)],
];

test.each(answersThatFail)('no error, log line or hook shows the key after %s', async (_, behaviour) => {
  await using server = await startServer(behaviour);
  const told: string[] = [];
  const write = (line: string): number => told.push(line);
  const observe = (event: object): number =>
    told.push(inspect(event, { depth: Infinity }), JSON.stringify(event));
  const hooks: Hooks = {
    onCallStart: observe,
    onRequest: observe,
    aroundSend: observe,
    onResponse: observe,
    onNoResponse: observe,
    onRetry: observe,
    onWait: observe,
    onCallEnd: observe,
  };
  const client = new DataQualityClient({
    apiKey: key,
    baseUrl: server.url,
    timeout: 100,
    maxRetries: 1,
    logger: { debug: write, info: write, warn: write, error: write },
    logLevel: 'debug',
    hooks,
  });
  for (const call of [client.validity.get(assetId, ruleId), client.freshness.get(assetId)]) {
    told.push(shownBy(await rejection(call)));
  }
  const everything = told.join('\n');
  for (const spelling of spellings) expect(everything).not.toContain(spelling);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test('a client does not show its key', async () => {
  const client = new DataQualityClient({ apiKey: key, baseUrl: 'https://dq.test' });
  const shown =
    inspect(client, { depth: Infinity, showHidden: true, getters: true }) + JSON.stringify(client);
  for (const spelling of spellings) expect(shown).not.toContain(spelling);
});

test('does not show a key that a header cannot contain in the error that says so', () => {
  let error: unknown;
  try {
    error = new DataQualityClient({ apiKey: 's3cr3t\n', baseUrl: 'https://dq.test' });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining('apiKey') });
  expect(shownBy(error)).not.toContain('s3cr3t');
});

test('what a hook or a function for the key throws does not show the key in the log', async () => {
  await using server = await startServer(gives(summary));
  const lines: string[] = [];
  const write = (line: string): number => lines.push(line);
  const client = new DataQualityClient({
    apiKey: () => key,
    baseUrl: server.url,
    logger: { debug: write, info: write, warn: write, error: write },
    hooks: {
      onRequest: () => {
        throw new Error('the hook broke');
      },
    },
  });
  expect(await client.validity.summary(assetId)).toEqual(summary);
  expect(lines).toEqual([expect.stringContaining('the hook onRequest threw: Error: the hook broke')]);
});

test.each([
  '//evil.example/api/v1/x',
  'https://evil.example/api/v1/x',
  'http:evil.example',
  '@evil.example/',
  '.evil.example/',
  ':80/',
  '/\\evil.example',
  '/api/v1/../../x',
  '/api/v1/%2e%2e/x',
  '/api/v1/x?a=1',
  '/api/v1/x#a',
  '/api/v1/a b',
  '/\t/evil.example',
  'api/v1/x',
  '',
])('a path that leads elsewhere is refused before any request: %j', async (path) => {
  const urls: string[] = [];
  const client = new DataQualityClient({
    apiKey: key,
    baseUrl: 'https://dq.test',
    fetch: async (input, init) => {
      urls.push(new Request(input, init).url);
      return Response.json({});
    },
  });
  for (const call of [client.request({ method: 'GET', path }), client.paginate({ path })]) {
    expect(await rejection(call)).toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringContaining('path'),
    });
  }
  expect(urls).toEqual([]);
});
