import { expect, test } from 'vitest';

import type { Tier } from '../../src/contract/vocabulary.ts';
import { keys, rules, serve } from './parts.ts';

const start = Date.UTC(2026, 0, 1);

function limited(tier: Tier | undefined) {
  const clock = { ms: start };
  const { call } = serve({ tier, now: () => clock.ms });
  const get = async (key?: string) => {
    const { status, headers } = await call('GET', rules, undefined, key);
    return {
      status,
      limit: headers.get('X-RateLimit-Limit'),
      remaining: headers.get('X-RateLimit-Remaining'),
      reset: headers.get('X-RateLimit-Reset'),
      retryAfter: headers.get('Retry-After'),
    };
  };
  return { clock, call, get };
}

test.each([
  ['free_trial', 20, 2],
  ['starter', 30, 3],
  ['growth', 500, 25],
  ['professional', 1000, 50],
  ['enterprise', 5000, 100],
] as const)(
  '%s allows %i a minute and %i a second',
  { timeout: 60_000 },
  async (tier, perMinute, perSecond) => {
    const { clock, get } = limited(tier);
    for (let taken = 0; taken < perMinute; clock.ms += 1000) {
      const burst = Math.min(perSecond, perMinute - taken);
      for (let request = 0; request < burst; request += 1) {
        taken += 1;
        expect(await get()).toMatchObject({ status: 200, remaining: String(perMinute - taken) });
      }
      const wait = taken < perMinute ? 1 : 60 - (clock.ms - start) / 1000;
      expect(await get()).toMatchObject({
        status: 429,
        remaining: String(perMinute - taken),
        retryAfter: String(wait),
      });
    }
    const elapsed = (clock.ms - start) / 1000;
    const reset = String(start / 1000 + 60);
    expect(await get()).toEqual({
      status: 429,
      limit: String(perMinute),
      remaining: '0',
      reset,
      retryAfter: String(60 - elapsed),
    });
    clock.ms = start + 59_001;
    expect(await get()).toMatchObject({ status: 429, retryAfter: '1' });
    clock.ms = start + 60_000;
    expect(await get()).toMatchObject({ status: 200, remaining: String(perMinute - 1) });
  },
);

test('a 429 has the code, and is not counted', async () => {
  const { clock, call, get } = limited('free_trial');
  await get();
  await get();
  const { status, body } = await call('GET', rules);
  expect(status).toBe(429);
  expect(body).toEqual({
    error: { code: 'RATE_LIMITED', message: expect.any(String) as unknown, details: { retry_after: 1 } },
  });
  clock.ms += 1000;
  expect(await get()).toMatchObject({ status: 200, remaining: '17' });
});

test('each key has its own limit, and strangers use up nobody’s', async () => {
  const { get } = limited('free_trial');
  for (let request = 0; request < 5; request += 1) {
    expect(await get('stranger')).toMatchObject({ status: 401, limit: '20', remaining: '20' });
  }
  expect(await get(keys.readOnly)).toMatchObject({ status: 200, remaining: '19' });
  expect(await get(keys.readOnly)).toMatchObject({ status: 200, remaining: '18' });
  expect(await get(keys.readOnly)).toMatchObject({ status: 429 });
  expect(await get(keys.admin)).toMatchObject({ status: 200, remaining: '19' });
});

test('without a tier nothing is limited, and the quota stays full', async () => {
  const { get } = limited(undefined);
  for (let request = 0; request < 120; request += 1) {
    expect(await get()).toEqual({
      status: 200,
      limit: '5000',
      remaining: '5000',
      reset: String(start / 1000 + 60),
      retryAfter: null,
    });
  }
});
