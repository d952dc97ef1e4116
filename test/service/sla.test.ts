import { describe, expect, test } from 'vitest';

import { startOfWeeks, summarizeSla } from '../../src/service/sla.ts';

// A Wednesday; its week began on 2026-03-02.
const now = Date.parse('2026-03-04T12:00:00Z');
const hour = 3_600_000;
const at = (time: string) => Date.parse(time);

function summarize(
  periods: readonly (readonly [status: string, from: string, until: string])[],
  { target = 99, weeks = 2 } = {},
) {
  return summarizeSla(
    periods.map(([status, from, until]) => ({ status, from: at(from), until: at(until) })),
    { asset: 'shop', target, weeks, now },
  );
}

describe('weeks', () => {
  test('begin on Monday, 00:00 UTC, and the last one is this one', () => {
    expect(new Date(startOfWeeks(1, now)).toISOString()).toBe('2026-03-02T00:00:00.000Z');
    expect(new Date(startOfWeeks(3, now)).toISOString()).toBe('2026-02-16T00:00:00.000Z');
    expect(startOfWeeks(1, at('2026-03-02T00:00:00Z'))).toBe(at('2026-03-02T00:00:00Z'));
    expect(startOfWeeks(1, at('2026-03-01T23:59:59Z'))).toBe(at('2026-02-23T00:00:00Z'));
  });

  test('each have their part of a period that crosses their border', () => {
    const { weeks } = summarize([['stale', '2026-03-01T22:00:00Z', '2026-03-02T01:00:00Z']]);
    expect(weeks.map(({ week, stale_minutes }) => [week, stale_minutes])).toEqual([
      ['2026-03-02', 60],
      ['2026-02-23', 120],
    ]);
  });
});

describe('a summary', () => {
  test('counts time without a look as unobserved, and never as fresh or stale', () => {
    const sla = summarize([
      ['fresh', '2026-03-03T00:00:00Z', '2026-03-03T09:00:00Z'],
      ['stale', '2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z'],
      ['unknown', '2026-03-04T00:00:00Z', '2026-03-04T02:00:00Z'],
    ]);
    expect(sla).toMatchObject({
      from: '2026-02-23T00:00:00Z',
      until: '2026-03-04T12:00:00Z',
      observed_since: '2026-03-03T00:00:00Z',
      fresh_minutes: 540,
      stale_minutes: 60,
      unknown_minutes: 120,
      fresh_percent: 90,
      error_budget: { allowed_minutes: 6, spent_minutes: 60, remaining_minutes: -54 },
    });
    const whole = (now - at('2026-02-23T00:00:00Z')) / 60_000;
    expect(sla.unobserved_minutes).toBe(whole - 720);
    expect(sla.weeks[1]).toMatchObject({ fresh_percent: null, longest_breach: null });
  });

  test('is 100 % fresh if all of the time was, however short it was', () => {
    const { fresh_percent, weeks } = summarize([
      ['fresh', '2026-03-03T00:00:00.000Z', '2026-03-03T00:00:00.013Z'],
    ]);
    expect([fresh_percent, weeks[0]?.fresh_percent]).toEqual([100, 100]);
  });

  test('has no percentage and no budget before anything is known', () => {
    const nothing = { fresh_percent: null, error_budget: null, longest_breach: null };
    expect(summarize([])).toMatchObject({ ...nothing, observed_since: null });
    expect(summarize([['unknown', '2026-03-03T00:00:00Z', '2026-03-03T09:00:00Z']])).toMatchObject(nothing);
  });

  test('names the longest breach, not longer than the time that is looked at', () => {
    const sla = summarize([
      ['stale', '2026-02-20T00:00:00Z', '2026-02-23T05:00:00Z'],
      ['stale', '2026-02-24T00:00:00Z', '2026-02-24T04:00:00Z'],
      ['stale', '2026-03-03T00:00:00Z', '2026-03-03T01:00:00Z'],
    ]);
    expect(sla.longest_breach).toEqual({
      from: '2026-02-23T00:00:00Z',
      until: '2026-02-23T05:00:00Z',
      minutes: 300,
    });
    expect(sla.weeks[0]?.longest_breach?.minutes).toBe(60);
  });

  test('names the longest breach in whatever order they came', () => {
    const { longest_breach } = summarize([
      ['stale', '2026-02-24T00:00:00Z', '2026-02-24T02:00:00Z'],
      ['stale', '2026-02-25T00:00:00Z', '2026-02-25T03:00:00Z'],
      ['stale', '2026-02-26T00:00:00Z', '2026-02-26T01:00:00Z'],
    ]);
    expect(longest_breach).toMatchObject({ from: '2026-02-25T00:00:00Z', minutes: 180 });
  });

  test('has a first observation after a single look, but no time and no breach', () => {
    expect(summarize([['stale', '2026-03-03T09:00:00Z', '2026-03-03T09:00:00Z']])).toMatchObject({
      observed_since: '2026-03-03T09:00:00Z',
      stale_minutes: 0,
      fresh_percent: null,
      longest_breach: null,
    });
  });

  test('counts a time once that two services looked at', () => {
    const sla = summarize([
      ['fresh', '2026-03-03T00:00:00Z', '2026-03-03T02:00:00Z'],
      ['fresh', '2026-03-03T00:01:00Z', '2026-03-03T01:00:00Z'],
      ['stale', '2026-03-03T01:00:00Z', '2026-03-03T03:00:00Z'],
    ]);
    expect(sla).toMatchObject({ fresh_minutes: 120, stale_minutes: 60 });
    expect(sla.fresh_minutes + sla.stale_minutes + sla.unobserved_minutes).toBe(
      (now - startOfWeeks(2, now)) / 60_000,
    );
  });
});

test('a day has as many minutes as the periods that fill it', () => {
  const day = at('2026-03-03T00:00:00Z');
  const periods = Array.from({ length: 24 }, (_, it) => ({
    status: it % 2 === 0 ? 'fresh' : 'stale',
    from: day + it * hour,
    until: day + (it + 1) * hour,
  }));
  const sla = summarizeSla(periods, { asset: 'shop', target: 50, weeks: 1, now });
  expect(sla).toMatchObject({ fresh_minutes: 720, stale_minutes: 720, fresh_percent: 50 });
  expect(sla.error_budget?.remaining_minutes).toBe(0);
});
