import { createServer } from 'node:net';
import { once } from 'node:events';

import { describe, expect, test, vi } from 'vitest';

import { DataQualityClient } from '../../src/index.ts';
import { apiKey, assetId, connect, rejection, ruleId, skipBackOff, summary } from '../support/connect.ts';
import {
  answers,
  type Behaviour,
  fails,
  gives,
  hangs,
  redirects,
  resets,
  stalls,
  startServer,
  truncates,
} from '../support/server.ts';

skipBackOff();

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const get = (client: DataQualityClient): Promise<unknown> => client.validity.summary(assetId);
const post = (client: DataQualityClient): Promise<unknown> => client.validity.check(assetId, ruleId);
const patch = (client: DataQualityClient): Promise<unknown> => client.validity.update(assetId, ruleId, {});
const remove = (client: DataQualityClient): Promise<unknown> => client.validity.delete(assetId, ruleId);
const put = (client: DataQualityClient): Promise<unknown> =>
  client.request({ method: 'PUT', path: '/api/v1/things', body: {} });

const success = gives({ id: 1, ...summary });
const ambiguous: [string, Behaviour][] = [
  ['500', fails(500, 'INTERNAL_ERROR')],
  ['502', answers(502, '<html>Bad gateway</html>')],
  ['503', fails(503, 'INTERNAL_ERROR')],
  ['504', answers(504, '')],
  ['a reset', resets],
  ['a body that breaks off', truncates],
  ['the timeout of one attempt', hangs],
  ['a stalled body', stalls()],
  ['a stalled error body', stalls(500)],
];

/** What would end nothing else on a machine that is busy. */
const shortTimeout = { timeout: 300 };

describe.concurrent.each(ambiguous)('after %s', (name, failure) => {
  const limits = /timeout|stalled/.test(name) ? shortTimeout : {};

  test.each([
    ['GET', get],
    ['PATCH', patch],
    ['DELETE', remove],
    ['PUT', put],
  ])('a %s is sent again', async (_method, call) => {
    await using server = await startServer(failure, failure, success);
    await call(connect(server, limits));
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]).toMatchObject({
      method: server.requests[0]?.method,
      url: server.requests[0]?.url,
      body: server.requests[0]?.body,
    });
  });

  test('a POST is never sent again', async () => {
    await using server = await startServer(failure, success);
    const error = await rejection(post(connect(server, limits)));
    expect(error).toMatchObject({
      attempts: 1,
      mayHaveBeenProcessed: true,
      message: expect.stringContaining('The request may have been processed; check before retrying.'),
    });
    expect(server.requests).toHaveLength(1);
  });

  test('maxRetries are used up, and the last failure is thrown', async () => {
    await using server = await startServer(failure);
    const error = await rejection(get(connect(server, limits)));
    expect(error).toMatchObject({ attempts: 4, mayHaveBeenProcessed: true });
    expect(server.requests).toHaveLength(4);
  });
});

describe('after a 429', () => {
  test.each([
    ['GET', get],
    ['PATCH', patch],
    ['DELETE', remove],
    ['POST', post],
  ])('a %s is sent again', async (_method, call) => {
    const limited = fails(429, 'RATE_LIMITED', {}, { 'retry-after': '0' });
    await using server = await startServer(limited, limited, success);
    await call(connect(server));
    expect(server.requests).toHaveLength(3);
  });

  test('waits exactly as long as it was asked to', async () => {
    const limited = fails(429, 'RATE_LIMITED', {}, { 'retry-after': '0.12' });
    await using server = await startServer(limited, success);
    const delays: number[] = [];
    await get(connect(server, { hooks: { onRetry: ({ delayMs }) => delays.push(delayMs) } }));
    expect(delays).toEqual([120]);
  });

  test.each([
    ['a date in the past', () => new Date(Date.now() - 5000).toUTCString()],
    ['0', () => '0'],
    ['-1', () => '-1'],
  ])('backs off when Retry-After is %s', async (_, header) => {
    using random = vi.spyOn(Math, 'random').mockReturnValue(0.1);
    const limited = fails(429, 'RATE_LIMITED', {}, { 'retry-after': header() });
    await using server = await startServer(limited, success);
    const delays: number[] = [];
    await get(connect(server, { hooks: { onRetry: ({ delayMs }) => delays.push(delayMs) } }));
    expect(random).toHaveBeenCalled();
    expect(delays).toEqual([50]);
  });

  test.each([
    ['sent twice', { 'retry-after': '1, 2' }, 2000],
    ['with a sign', { 'retry-after': '+5' }, 5000],
    [
      'a date by a clock that is ahead of ours',
      { 'retry-after': 'Sat, 01 Jan 2050 00:00:03 GMT', date: 'Sat, 01 Jan 2050 00:00:00 GMT' },
      3000,
    ],
  ])('Retry-After %s is understood', async (_, headers, retryAfterMs) => {
    await using server = await startServer(fails(429, 'RATE_LIMITED', {}, headers));
    const error = await rejection(get(connect(server, { maxRetries: 0 })));
    expect(error).toMatchObject({ retryAfterMs });
  });

  test.each([
    ['100000', 100_000_000, 100_000_000],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3_500_000, 3_600_000],
  ])('a longer wait than maxRetryAfter is thrown at once: %s', async (header, least, most) => {
    await using server = await startServer(fails(429, 'RATE_LIMITED', {}, { 'retry-after': header }));
    const error = await rejection(get(connect(server)));
    expect(error).toMatchObject({ name: 'RateLimitedError', attempts: 1 });
    const { retryAfterMs } = error as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(retryAfterMs).toBeLessThanOrEqual(most);
    expect(server.requests).toHaveLength(1);
  });

  test('a longer wait than maxRetryAfter keeps no other call waiting', async () => {
    await using server = await startServer(
      fails(429, 'RATE_LIMITED', {}, { 'retry-after': '100000' }),
      success,
    );
    const client = connect(server, { rateLimit: 'auto' });
    await rejection(get(client));
    expect(await get(client)).toMatchObject(summary);
  });

  test('a wait that would outlive totalTimeout is thrown at once', async () => {
    await using server = await startServer(fails(429, 'RATE_LIMITED', {}, { 'retry-after': '30' }));
    const error = await rejection(get(connect(server, { totalTimeout: 5000 })));
    expect(error).toMatchObject({ name: 'RateLimitedError', retryAfterMs: 30_000, attempts: 1 });
  });

  test.each(['soon', '-5', ''])(
    'does not wait for ever for a meaningless Retry-After: %j',
    async (header) => {
      await using server = await startServer(
        fails(429, 'RATE_LIMITED', {}, { 'retry-after': header }),
        success,
      );
      expect(await get(connect(server))).toMatchObject(summary);
    },
  );

  test('waits for the Retry-After of a 503 too', async () => {
    const unavailable = fails(503, 'INTERNAL_ERROR', {}, { 'retry-after': '0.05' });
    await using server = await startServer(unavailable, success);
    const delays: number[] = [];
    await get(connect(server, { hooks: { onRetry: ({ delayMs }) => delays.push(delayMs) } }));
    expect(delays).toEqual([50]);
  });
});

describe('when the service was never reached', () => {
  test.each([
    ['ECONNREFUSED', 'client error (Connect): tcp connect error: Connection refused (os error 111)', 2],
    ['ENOTFOUND', 'client error (Connect): dns error: failed to lookup address information', 2],
    ['CONNECTION_FAILED', 'client error (SendRequest): connection error: Connection reset by peer', 1],
  ])('knows %s by the message of Deno, which has no error codes', async (code, reason, attempts) => {
    const message = `error sending request for url (https://dq.test/): ${reason}`;
    const client = new DataQualityClient({
      apiKey,
      baseUrl: 'https://dq.test',
      maxRetries: 1,
      rateLimit: false,
      fetch: () => Promise.reject(new TypeError(message)),
    });
    const error = await rejection(post(client));
    expect(error).toMatchObject({ code, attempts, mayHaveBeenProcessed: attempts === 1 });
  });

  test.each([
    ['GET', get],
    ['POST', post],
  ])('a %s is sent again after ECONNREFUSED', async (_method, call) => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const error = await rejection(call(connect({ url })));
    expect(error).toMatchObject({
      name: 'ConnectionError',
      code: 'ECONNREFUSED',
      host: url.slice('http://'.length),
      attempts: 4,
      mayHaveBeenProcessed: false,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('a POST is sent again after a name was not found', async () => {
    const error = await rejection(post(connect({ url: 'https://dq.invalid' }, { maxRetries: 1 })));
    expect(error).toMatchObject({ name: 'ConnectionError', attempts: 2, mayHaveBeenProcessed: false });
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain((error as { code: string }).code);
  });
});

describe('what another attempt can not change', () => {
  test.each([
    ['400', fails(400, 'VALIDATION_ERROR'), 'VALIDATION_ERROR'],
    ['401', fails(401, 'UNAUTHORIZED'), 'UNAUTHORIZED'],
    ['403', fails(403, 'FORBIDDEN'), 'FORBIDDEN'],
    ['404', fails(404, 'ASSET_NOT_FOUND'), 'ASSET_NOT_FOUND'],
    ['409', fails(409, 'CONFLICT'), 'CONFLICT'],
    ['501', fails(501, 'NOT_IMPLEMENTED'), 'NOT_IMPLEMENTED'],
    ['a redirect', redirects('/elsewhere'), 'REDIRECTED'],
    ['a 200 that is HTML', answers(200, '<html>Log in</html>'), 'INVALID_RESPONSE'],
    ['a 200 that is not as promised', gives([]), 'INVALID_RESPONSE'],
  ])('is not tried: %s', async (_, behaviour, code) => {
    await using server = await startServer(behaviour);
    expect(await rejection(get(connect(server)))).toMatchObject({ code, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test('is not tried: a port to which fetch sends nothing', async () => {
    expect(await rejection(post(connect({ url: 'http://127.0.0.1:9' })))).toMatchObject({
      code: 'BAD_PORT',
      attempts: 1,
      mayHaveBeenProcessed: false,
    });
  });
});

describe('a DELETE that was sent again', () => {
  const gone = fails(404, 'RULE_NOT_FOUND', { rule_id: ruleId });

  test.each(ambiguous)('has succeeded if it finds nothing after %s', async (_, failure) => {
    await using server = await startServer(failure, gone);
    expect(await remove(connect(server, { timeout: 300 }))).toEqual({ success: true });
  });

  test('has failed if it can not have worked before', async () => {
    await using server = await startServer(fails(429, 'RATE_LIMITED', {}, { 'retry-after': '0' }), gone);
    expect(await rejection(remove(connect(server)))).toMatchObject({ code: 'RULE_NOT_FOUND', attempts: 2 });
  });

  test('has failed if what is not found is not a resource', async () => {
    await using server = await startServer(resets, answers(404, '<html>no such page</html>'));
    expect(await rejection(remove(connect(server)))).toMatchObject({ code: 'NOT_FOUND', attempts: 2 });
  });

  test('a GET that finds nothing has failed all the same', async () => {
    await using server = await startServer(resets, gone);
    expect(await rejection(get(connect(server)))).toMatchObject({ code: 'RULE_NOT_FOUND', attempts: 2 });
  });
});

describe('mayHaveBeenProcessed', () => {
  test('remembers every attempt of the call', async () => {
    let refusing = false;
    await using server = await startServer(fails(500, 'INTERNAL_ERROR'));
    const client = connect(server, {
      fetch: (input, init) => {
        if (!refusing) {
          refusing = true;
          return fetch(input, init);
        }
        const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        return Promise.reject(new TypeError('fetch failed', { cause: refused }));
      },
    });
    expect(await rejection(patch(client))).toMatchObject({
      code: 'ECONNREFUSED',
      attempts: 4,
      mayHaveBeenProcessed: true,
    });
  });

  test('is false if the signal was aborted before anything was sent', async () => {
    await using server = await startServer(success);
    const call = connect(server).validity.summary(assetId, { signal: AbortSignal.abort('no') });
    expect(await rejection(call)).toMatchObject({
      name: 'AbortError',
      cause: 'no',
      attempts: 0,
      mayHaveBeenProcessed: false,
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe('maxRetries', () => {
  test.each([0, 1, 2])('%i is that many, for the client and for one call', async (maxRetries) => {
    await using server = await startServer(fails(500, 'INTERNAL_ERROR'));
    expect(await rejection(get(connect(server, { maxRetries })))).toMatchObject({ attempts: maxRetries + 1 });
    const call = connect(server).validity.summary(assetId, { maxRetries });
    expect(await rejection(call)).toMatchObject({ attempts: maxRetries + 1 });
  });
});

test('back-off doubles from 500 ms to 8 s, with full jitter', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.001);
  await using server = await startServer(fails(500, 'INTERNAL_ERROR'));
  const delays: number[] = [];
  const hooks = { onRetry: ({ delayMs }: { delayMs: number }) => delays.push(delayMs) };
  await rejection(get(connect(server, { maxRetries: 7, hooks })));
  expect(delays).toEqual([0.5, 1, 2, 4, 8, 8, 8]);
});
