import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { CallEndEvent, ClientOptions, Hooks, LogLevel } from '../../src/index.ts';
import { apiKey as key, assetId, connect, rejection, skipBackOff, summary } from '../support/connect.ts';
import { fails, gives, resets, startServer } from '../support/server.ts';

skipBackOff();

const limitHeaders = {
  'x-ratelimit-limit': '500',
  'x-ratelimit-remaining': '499',
  'x-ratelimit-reset': '2000000000',
  'x-request-id': 'r1',
};
const rateLimit = { limit: 500, remaining: 499, resetAt: new Date(2_000_000_000_000) };
const ignore = (): void => undefined;
const path = `/api/v1/sdk/validity/${assetId}/summary`;

describe('withResponse', () => {
  test('gives status, headers, rate limit, attempts and duration', async () => {
    await using server = await startServer(fails(500, 'INTERNAL_ERROR'), gives(summary, limitHeaders));
    const { data, meta } = await connect(server).validity.summary(assetId).withResponse();
    expect(data).toEqual(summary);
    expect(meta).toMatchObject({ status: 200, rateLimit, attempts: 2 });
    expect(meta.headers.get('x-request-id')).toBe('r1');
    expect(meta.durationMs).toBeGreaterThan(0);
  });

  test('works for lists, and the promise is good for both', async () => {
    await using server = await startServer(gives({ items: [] }));
    const list = connect(server).validity.list(assetId);
    const { data: page } = await list.withResponse();
    expect(await list).toBe(page);
    expect(server.requests).toHaveLength(1);
  });
});

describe('client.rateLimit', () => {
  test('is what the last response announced, be it a result or an error', async () => {
    const later = { ...limitHeaders, 'x-ratelimit-remaining': '498' };
    await using server = await startServer(
      gives(summary, limitHeaders),
      fails(404, 'ASSET_NOT_FOUND', {}, later),
      gives(summary),
    );
    const client = connect(server, { apiKey: 'a-key-of-its-own' });
    expect(client.rateLimit).toBeUndefined();
    await client.validity.summary(assetId);
    expect(client.rateLimit).toEqual(rateLimit);
    await rejection(client.validity.summary(assetId));
    expect(client.rateLimit).toEqual({ ...rateLimit, remaining: 498 });
    await client.validity.summary(assetId);
    expect(client.rateLimit).toEqual({ ...rateLimit, remaining: 498 });
    expect(client.withOptions({ maxRetries: 0 }).rateLimit).toEqual({ ...rateLimit, remaining: 498 });
  });
});

describe('hooks', () => {
  test('are called for every request, response and retry', async () => {
    await using server = await startServer(fails(500, 'INTERNAL_ERROR'), gives(summary, limitHeaders));
    const events: unknown[] = [];
    const hooks: Hooks = {
      onRequest: (event) => events.push(['request', event]),
      onResponse: (event) => events.push(['response', event]),
      onRetry: (event) => events.push(['retry', event]),
    };
    await connect(server, { hooks }).validity.summary(assetId);
    const call = { method: 'GET', path };
    expect(events).toMatchObject([
      ['request', { ...call, attempt: 1 }],
      ['response', { ...call, attempt: 1, status: 500, rateLimit: undefined }],
      ['retry', { ...call, attempt: 1, delayMs: 0, error: { name: 'InternalError' } }],
      ['request', { ...call, attempt: 2 }],
      ['response', { ...call, attempt: 2, status: 200, rateLimit, durationMs: expect.any(Number) }],
    ]);
  });

  test('are called for a wait for the rate limit, with its reason', async () => {
    await using server = await startServer(gives(summary));
    const waits: unknown[] = [];
    const client = connect(server, {
      rateLimit: { perMinute: 1000, perSecond: 20 },
      hooks: { onWait: (event) => waits.push(event) },
    });
    await Promise.all(Array.from({ length: 21 }, () => client.validity.summary(assetId)));
    expect(waits).toEqual([
      {
        call: expect.objectContaining({ name: 'validity.summary' }),
        method: 'GET',
        path,
        ms: expect.any(Number),
        reason: 'the limit is 20 requests per second',
      },
    ]);
  });

  test('change nothing by what they throw or reject with', async () => {
    await using server = await startServer(gives(summary));
    const lines: string[] = [];
    const write = (line: string): number => lines.push(line);
    const client = connect(server, {
      hooks: {
        onRequest: () => {
          throw new Error('no');
        },
        onResponse: async () => {
          throw new Error('later');
        },
      },
      logger: { debug: write, info: write, warn: write, error: write },
    });
    expect(await client.validity.summary(assetId)).toEqual(summary);
    expect(lines).toEqual([
      'data-quality-client: the hook onRequest threw: Error: no',
      'data-quality-client: the hook onResponse threw: Error: later',
    ]);
  });
});

describe('the hooks of a call', () => {
  test('are called when it begins and ends, and have the same call', async () => {
    await using server = await startServer(resets, gives(summary));
    const names: string[] = [];
    const calls = new Set<unknown>();
    const seen =
      (name: string) =>
      ({ call }: { readonly call: unknown }): void => {
        names.push(name);
        calls.add(call);
      };
    let end: unknown;
    const hooks: Hooks = {
      onCallStart: seen('start'),
      onRequest: seen('request'),
      aroundSend: seen('send'),
      onNoResponse: seen('no response'),
      onRetry: seen('retry'),
      onResponse: seen('response'),
      onCallEnd: (event) => {
        seen('end')(event);
        end = event;
      },
    };
    await connect(server, { hooks }).validity.summary(assetId);
    const attempts = ['request', 'send', 'no response', 'retry', 'request', 'send', 'response'];
    expect(names).toEqual(['start', ...attempts, 'end']);
    expect([...calls]).toEqual([
      {
        name: 'validity.summary',
        method: 'GET',
        path,
        route: '/api/v1/sdk/validity/{asset_id}/summary',
        params: { asset_id: assetId },
        url: server.url + path,
      },
    ]);
    expect(end).toMatchObject({ attempts: 2, data: summary, error: undefined });
  });

  test('have the error of a call that failed, and an address without its query', async () => {
    await using server = await startServer(fails(404, 'ASSET_NOT_FOUND'));
    const ends: CallEndEvent[] = [];
    const client = connect(server, { hooks: { onCallEnd: (event) => ends.push(event) } });
    const error = await rejection(client.validity.list(assetId, { limit: 5 }));
    expect(ends).toMatchObject([{ attempts: 1, data: undefined, error }]);
    expect(ends[0]?.call.url).not.toContain('?');
  });

  test('may be several: each is called, and what one throws does not concern the others', async () => {
    await using server = await startServer(gives(summary));
    const seen: string[] = [];
    const first: Hooks = {
      onRequest: () => {
        seen.push('first');
        throw new Error('no');
      },
    };
    const second: Hooks = { onRequest: () => seen.push('second') };
    await connect(server, { hooks: [first, second] }).validity.summary(assetId);
    expect(seen).toEqual(['first', 'second']);
  });
});

describe('aroundSend', () => {
  test('adds headers, of which those of the call and the key stay', async () => {
    await using server = await startServer(gives(summary));
    const hooks: Hooks[] = [
      { aroundSend: (_, send) => send({ 'x-one': '1', 'x-both': 'outer', 'x-own': 'hook' }) },
      { aroundSend: (_, send) => send({ 'x-two': '2', 'x-both': 'inner' }) },
    ];
    await connect(server, { hooks }).validity.summary(assetId, { headers: { 'X-Own': 'call' } });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject({
      'x-one': '1',
      'x-two': '2',
      'x-both': 'inner',
      'x-own': 'call',
      authorization: `Bearer ${key}`,
    });
  });

  const bad: [string, NonNullable<Hooks['aroundSend']>, number][] = [
    ['throws before it sends', () => expect.unreachable('before'), 1],
    [
      'throws after it sent',
      (_, send) => {
        send();
        throw new Error('after');
      },
      1,
    ],
    ['does not send', ignore, 0],
    [
      'sends twice',
      (_, send) => {
        send();
        send();
      },
      0,
    ],
    ['adds a key of its own', (_, send) => send({ Authorization: 'Bearer other' }), 1],
    ['adds what a header cannot contain', (_, send) => send({ 'x-a': 'b\nc' }), 1],
  ];
  test.each(bad)('that %s changes nothing', async (_, aroundSend, reported) => {
    await using server = await startServer(gives(summary));
    const errors: string[] = [];
    const logger = { debug: ignore, info: ignore, warn: ignore, error: (line: string) => errors.push(line) };
    expect(await connect(server, { hooks: { aroundSend }, logger }).validity.summary(assetId)).toEqual(
      summary,
    );
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(errors).toHaveLength(reported);
  });
});

const success = Response.json({ data: summary });
const failure = (code: string) => ({ error: { code, message: 'no', details: {} } });
const long = Response.json(failure('RATE_LIMITED'), { status: 429, headers: { 'retry-after': '1' } });
const short = Response.json(failure('INTERNAL_ERROR'), { status: 500 });

/** A client whose requests get these responses, one after the other, the last one from then on. */
const clientOf = (options: ClientOptions, ...responses: readonly Response[]) => {
  let count = 0;
  const fetch = async () => (responses[Math.min(count++, responses.length - 1)] as Response).clone();
  return connect({ url: 'https://dq.test' }, { fetch, ...options });
};

describe('logger', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('warns about a wait for the rate limit from one second on', async () => {
    const waits: number[] = [];
    const warn = vi.fn<(line: string) => void>();
    const client = clientOf(
      {
        rateLimit: { perMinute: 1000, perSecond: 20 },
        hooks: { onWait: ({ ms }) => waits.push(ms) },
        logger: { debug: ignore, info: ignore, warn, error: ignore },
      },
      success,
    );
    const call = async (count: number) =>
      Promise.all(Array.from({ length: count }, () => client.validity.summary(assetId)));
    // What the second half waits for is over a second after the first half began.
    await call(10);
    await vi.advanceTimersByTimeAsync(200);
    const rest = Promise.all([call(11), call(21)]);
    await vi.advanceTimersByTimeAsync(5000);
    await rest;
    expect(waits.some((ms) => ms < 1000)).toBe(true);
    expect(waits.filter((ms) => ms >= 1000).length).toBeGreaterThan(0);
    expect(warn).toHaveBeenCalledTimes(waits.filter((ms) => ms >= 1000).length);
  });

  const expected: Record<LogLevel, string[]> = {
    off: [],
    error: [],
    warn: ['warn'],
    info: ['info', 'warn'],
    debug: ['debug', 'info', 'debug', 'warn', 'debug'],
  };

  test.each(Object.entries(expected))('at level %s says no more than it should', async (logLevel, levels) => {
    const lines: [string, string][] = [];
    const client = clientOf(
      {
        logLevel: logLevel as LogLevel,
        logger: {
          debug: (line) => lines.push(['debug', line]),
          info: (line) => lines.push(['info', line]),
          warn: (line) => lines.push(['warn', line]),
          error: (line) => lines.push(['error', line]),
        },
      },
      short,
      long,
      success,
    );
    const call = client.validity.summary(assetId).withResponse();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await call).meta.attempts).toBe(3);
    expect(lines.map(([level]) => level)).toEqual(levels);
    for (const [, line] of lines) expect(line).toMatch(/^data-quality-client: /);
  });

  test('logs at its default level how long a call waits, and why', async () => {
    const warnings: string[] = [];
    const warn = (line: string) => warnings.push(line);
    const logger = { debug: ignore, info: ignore, warn, error: ignore };
    const call = clientOf({ logger }, long, success).validity.summary(assetId);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await call).toEqual(summary);
    expect(warnings).toEqual([
      expect.stringMatching(/waiting 1000 ms before attempt 2: GET .* → 429 RATE_LIMITED/),
    ]);
  });
});

describe('headers', () => {
  test('of the client and of the call are sent, those of the call before those of the client', async () => {
    await using server = await startServer(gives(summary));
    const client = connect(server, { headers: { 'X-Team': 'data', 'x-run': '1' } });
    await client.validity.summary(assetId, { headers: { 'X-Run': '2' } });
    expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'data', 'x-run': '2' });
  });
});

describe('apiKey', () => {
  test('is requested before each attempt if it is a function', async () => {
    await using server = await startServer(fails(500, 'INTERNAL_ERROR'), gives(summary));
    let count = 0;
    await connect(server, { apiKey: async () => `key-${++count}` }).validity.summary(assetId);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-1',
      'Bearer key-2',
    ]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('vault is sealed');
      },
    ],
    ['rejects', () => Promise.reject(new Error('vault is sealed'))],
    ['gives nothing', () => undefined as unknown as string],
    ['gives a line break', () => 'a\nb'],
  ])('that %s is a ConfigurationError, and nothing is sent', async (_, apiKey) => {
    await using server = await startServer(gives(summary));
    expect(await rejection(connect(server, { apiKey }).validity.summary(assetId))).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('apiKey'),
    });
    expect(server.requests).toHaveLength(0);
  });
});

test('withOptions changes some options and keeps the others', async () => {
  await using server = await startServer(fails(500, 'INTERNAL_ERROR'));
  const client = connect(server, { maxRetries: 2, headers: { 'x-team': 'data' } });
  const changed = client.withOptions({ maxRetries: 0 });
  expect(await rejection(changed.validity.summary(assetId))).toMatchObject({ attempts: 1 });
  expect(await rejection(client.validity.summary(assetId))).toMatchObject({ attempts: 3 });
  expect(server.requests[0]?.headers['x-team']).toBe('data');
});

test('the objects a caller hands over are left as they were', async () => {
  await using server = await startServer(gives({ id: 1, uuid: 'v_1', items: [] }));
  const client = connect(server, Object.freeze({ headers: Object.freeze({ a: 'b' }) }));
  const query = Object.freeze({ limit: 1 });
  await client.validity.list(assetId, query, Object.freeze({ concurrency: 2 })).toArray();
  const body = {
    rule_type: 'REGEX',
    table_path: 't',
    column_name: 'c',
    rule_config: Object.freeze({ pattern: '.' }),
  } as const;
  await client.validity.create(assetId, Object.freeze(body), Object.freeze({ timeout: 5000 }));
  expect(server.requests).toHaveLength(2);
});
