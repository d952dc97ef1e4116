import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { promisify } from 'node:util';

import { describe, expect, test, vi } from 'vitest';

import { assetId, connect, rejection, ruleId, summary } from '../support/connect.ts';
import { fails, gives, hangs, stalls, startServer } from '../support/server.ts';

const execute = promisify(execFile);

describe('timeout', () => {
  test.each([
    ['a call without a response', hangs],
    ['a body that stalls', stalls()],
    ['an error body that stalls', stalls(500)],
  ])('ends %s, and the connection with it', async (_, behaviour) => {
    await using server = await startServer(behaviour);
    // Long enough for the request to arrive, whatever else the machine does.
    const call = connect(server, { timeout: 400, maxRetries: 0 }).validity.summary(assetId);
    expect(await rejection(call)).toMatchObject({
      name: 'TimeoutError',
      code: 'TIMEOUT',
      option: 'timeout',
      timeoutMs: 400,
      attempts: 1,
    });
    await server.abandoned(1);
  });

  test('also applies if a signal is passed', async () => {
    await using server = await startServer(hangs);
    const { signal } = new AbortController();
    const call = connect(server).validity.summary(assetId, { signal, timeout: 50, maxRetries: 0 });
    expect(await rejection(call)).toMatchObject({ option: 'timeout' });
  });

  test('of a call goes before that of the client', async () => {
    await using server = await startServer(hangs);
    const client = connect(server, { timeout: 60_000, maxRetries: 0 });
    const error = await rejection(client.validity.summary(assetId, { timeout: 40 }));
    expect(error).toMatchObject({ option: 'timeout', timeoutMs: 40 });
  });

  test('ends a fetch that ignores its signal', async () => {
    const client = connect(
      { url: 'https://dq.test' },
      { fetch: () => Promise.withResolvers<Response>().promise },
    );
    const call = client.validity.summary(assetId, { timeout: 20, maxRetries: 0 });
    expect(await rejection(call)).toMatchObject({ option: 'timeout' });
  });

  test.each([
    ['summary', 30_000],
    ['check', 300_000],
    ['capture', 300_000],
    ['upload', 300_000],
  ])('of %s is %i ms by default', async (method, expected) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      const client = connect(
        { url: 'https://dq.test' },
        {
          maxRetries: 0,
          fetch: () => {
            resolve();
            return Promise.withResolvers<Response>().promise;
          },
        },
      );
      const calls: Record<string, () => Promise<unknown>> = {
        summary: () => client.validity.summary(assetId),
        check: () => client.validity.check(assetId, ruleId),
        capture: () => client.metrics.capture(assetId, ruleId),
        upload: () => client.lineage.upload(assetId, {}),
      };
      const outcome = calls[method]?.().catch((error: unknown) => error);
      await reached;
      await vi.advanceTimersByTimeAsync(expected);
      expect(await outcome).toMatchObject({ option: 'timeout', timeoutMs: expected });
    } finally {
      vi.useRealTimers();
    }
  });

  test('is not garbage-collected', { timeout: 20_000 }, async () => {
    await using server = await startServer(hangs);
    // Collects garbage all the time while one attempt waits for its timer.
    const script = `
      import { DataQualityClient } from ${JSON.stringify(import.meta.resolve('../../src/index.ts'))};
      const client = new DataQualityClient({ apiKey: 'k', baseUrl: process.argv[1], maxRetries: 0, timeout: 400 });
      const call = client.validity.summary('a');
      const collecting = setInterval(gc, 20);
      const hanging = setTimeout(() => process.exit(3), 10_000);
      await call.catch((error) => console.log(error.code, error.option));
      clearInterval(collecting);
      clearTimeout(hanging);
    `;
    const flags = ['--expose-gc', '--experimental-strip-types', '--no-warnings', '--input-type=module'];
    const { stdout } = await execute(process.execPath, [...flags, '--eval', script, server.url]);
    expect(stdout.trim()).toBe('TIMEOUT timeout');
  });
});

describe('totalTimeout', () => {
  test('ends an attempt', async () => {
    await using server = await startServer(hangs);
    const call = connect(server).validity.summary(assetId, { totalTimeout: 400 });
    expect(await rejection(call)).toMatchObject({
      name: 'TimeoutError',
      option: 'totalTimeout',
      timeoutMs: 400,
      attempts: 1,
      mayHaveBeenProcessed: true,
    });
    await server.abandoned(1);
  });

  test('ends a back-off, with the last failure as its cause', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    await using server = await startServer(fails(500, 'INTERNAL_ERROR'));
    const error = await rejection(connect(server, { totalTimeout: 200 }).validity.summary(assetId));
    expect(error).toMatchObject({
      option: 'totalTimeout',
      attempts: 1,
      cause: { name: 'InternalError' },
      mayHaveBeenProcessed: true,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('ends a wait for the rate limit', async () => {
    await using server = await startServer(gives(summary));
    const client = connect(server, { rateLimit: { perMinute: 1, perSecond: 1 } });
    await client.validity.summary(assetId);
    const error = await rejection(client.validity.summary(assetId, { totalTimeout: 30 }));
    expect(error).toMatchObject({ option: 'totalTimeout', attempts: 0, mayHaveBeenProcessed: false });
    expect(server.requests).toHaveLength(1);
  });

  test('ends the wait for a key', async () => {
    const client = connect(
      { url: 'https://dq.test' },
      { apiKey: () => Promise.withResolvers<string>().promise, totalTimeout: 20 },
    );
    const error = await rejection(client.validity.summary(assetId));
    expect(error).toMatchObject({ option: 'totalTimeout', mayHaveBeenProcessed: false });
  });
});

describe('an abort', () => {
  const reason = new Error('the user went away');

  test('ends an attempt and its connection, with the reason as its cause', async () => {
    await using server = await startServer(hangs);
    const controller = new AbortController();
    const outcome = rejection(connect(server).validity.summary(assetId, { signal: controller.signal }));
    await server.received(1);
    controller.abort(reason);
    const error = await outcome;
    expect(error).toMatchObject({
      name: 'AbortError',
      code: 'ABORTED',
      attempts: 1,
      mayHaveBeenProcessed: true,
    });
    expect((error as Error).cause).toBe(reason);
    await server.abandoned(1);
    expect(server.requests).toHaveLength(1);
  });

  test('ends a stalled body', async () => {
    await using server = await startServer(stalls());
    const controller = new AbortController();
    const outcome = rejection(connect(server).validity.summary(assetId, { signal: controller.signal }));
    await server.received(1);
    controller.abort(reason);
    expect(await outcome).toMatchObject({ name: 'AbortError', cause: reason });
  });

  test('ends a back-off at once', async () => {
    await using server = await startServer(fails(429, 'RATE_LIMITED', {}, { 'retry-after': '50' }));
    const controller = new AbortController();
    const client = connect(server, {
      hooks: { onRetry: () => queueMicrotask(() => controller.abort(reason)) },
    });
    // The test's own timeout is a tenth of the wait.
    const error = await rejection(client.validity.summary(assetId, { signal: controller.signal }));
    expect(error).toMatchObject({
      name: 'AbortError',
      cause: reason,
      attempts: 1,
      mayHaveBeenProcessed: false,
    });
  });

  test('ends a wait for the rate limit at once', async () => {
    await using server = await startServer(gives(summary));
    const controller = new AbortController();
    const client = connect(server, {
      rateLimit: { perMinute: 1, perSecond: 1 },
      hooks: { onWait: () => queueMicrotask(() => controller.abort(reason)) },
    });
    await client.validity.summary(assetId);
    const error = await rejection(client.validity.summary(assetId, { signal: controller.signal }));
    expect(error).toMatchObject({
      name: 'AbortError',
      cause: reason,
      attempts: 0,
      mayHaveBeenProcessed: false,
    });
  });
});

test.each([
  ['a success', gives(summary)],
  ['an error', fails(404, 'ASSET_NOT_FOUND')],
  ['a timeout', hangs],
  ['retries', fails(500, 'INTERNAL_ERROR')],
])('no listener is left on the signal after %s', async (_, behaviour) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await using server = await startServer(behaviour);
  const { signal } = new AbortController();
  const options = { signal, timeout: 200, totalTimeout: 10_000, maxRetries: 1 };
  await connect(server)
    .validity.summary(assetId, options)
    .catch(() => undefined);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
}

test('no timer is left when a call is done', async () => {
  await using server = await startServer(gives(summary));
  const before = timers();
  await connect(server).validity.summary(assetId, { timeout: 60_000, totalTimeout: 60_000 });
  expect(timers()).toBeLessThanOrEqual(before);
});
