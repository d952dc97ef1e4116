import type { FreshnessPeriod } from './store.ts';
import { timestamp } from './timestamp.ts';

/** How long the data of an asset was stale without a break. */
export interface Breach {
  /** When it was first seen, ISO 8601, UTC; not before the time that is looked at. */
  readonly from: string;
  /** When it was last seen, ISO 8601, UTC. */
  readonly until: string;
  readonly minutes: number;
}

/** How long the data of an asset was in which state. */
export interface FreshnessTimes {
  readonly fresh_minutes: number;
  readonly stale_minutes: number;
  /** The service looked, and could not find out. */
  readonly unknown_minutes: number;
  /** Nobody looked: the service did not run, or did not watch the asset yet. */
  readonly unobserved_minutes: number;
  /** The fresh part of the fresh and stale time, in percent; null without either. */
  readonly fresh_percent: number | null;
  readonly longest_breach: Breach | null;
}

/** A week from Monday, 00:00 UTC. */
export interface SlaWeek extends FreshnessTimes {
  /** The Monday, such as `2026-11-16`. */
  readonly week: string;
}

/** How much stale time the target allows; of the time that is known to be fresh or stale. */
export interface ErrorBudget {
  readonly allowed_minutes: number;
  readonly spent_minutes: number;
  /** Below 0 if more was spent than allowed. */
  readonly remaining_minutes: number;
}

/** How well an asset kept its threshold over some weeks. */
export interface Sla extends FreshnessTimes {
  /** Qualified name of the asset. */
  readonly asset: string;
  /** Percent of the time that the data is to be fresh. */
  readonly target_percent: number;
  /** Start of the first week, ISO 8601, UTC. */
  readonly from: string;
  /** Now, ISO 8601, UTC. */
  readonly until: string;
  /** The first observation of that time, ISO 8601, UTC; null without one. */
  readonly observed_since: string | null;
  /** Null while no time is known to be fresh or stale. */
  readonly error_budget: ErrorBudget | null;
  /** This week first. */
  readonly weeks: readonly SlaWeek[];
}

const minuteMs = 60_000;
const weekMs = 7 * 86_400_000;

/** What a summary is about. */
export interface SlaScope {
  readonly asset: string;
  /** Percent of the time. */
  readonly target: number;
  /** How many weeks, this one included. */
  readonly weeks: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The start of the first of so many weeks, in ms since 1970. */
export function startOfWeeks(weeks: number, now: number): number {
  // 1970 began on a Thursday: the first Monday was four days later.
  const offset = 4 * 86_400_000;
  return Math.floor((now - offset) / weekMs) * weekMs + offset - (weeks - 1) * weekMs;
}

/** Summarizes what was observed; time that no observation covers is counted as unobserved, never as fresh or stale. */
export function summarizeSla(
  periods: readonly FreshnessPeriod[],
  { asset, target, weeks, now }: SlaScope,
): Sla {
  const start = startOfWeeks(weeks, now);
  const inOrder = withoutOverlap(periods);
  const all = timesWithin(inOrder, start, now);
  const [first] = clip(inOrder, start, now);
  const known = all.fresh_minutes + all.stale_minutes;
  const allowed = (known * (100 - target)) / 100;
  return {
    asset,
    target_percent: target,
    from: timestamp(start),
    until: timestamp(now),
    observed_since: first === undefined ? null : timestamp(first.from),
    ...all,
    error_budget:
      known === 0
        ? null
        : {
            allowed_minutes: allowed,
            spent_minutes: all.stale_minutes,
            remaining_minutes: allowed - all.stale_minutes,
          },
    weeks: Array.from({ length: weeks }, (_, at) => {
      const monday = start + (weeks - 1 - at) * weekMs;
      return {
        week: timestamp(monday).slice(0, 10),
        ...timesWithin(inOrder, monday, Math.min(now, monday + weekMs)),
      };
    }),
  };
}

/** Two services that share a state may both have observed. */
function withoutOverlap(periods: readonly FreshnessPeriod[]): readonly FreshnessPeriod[] {
  let end = Number.NEGATIVE_INFINITY;
  return periods.flatMap((period) => {
    const from = Math.max(period.from, end);
    if (period.until < from) return [];
    end = period.until;
    return [{ ...period, from }];
  });
}

function clip(periods: readonly FreshnessPeriod[], start: number, end: number): readonly FreshnessPeriod[] {
  return periods
    .map(({ status, from, until }) => ({
      status,
      from: Math.max(from, start),
      until: Math.min(until, end),
    }))
    .filter(({ from, until }) => until >= from);
}

function timesWithin(periods: readonly FreshnessPeriod[], start: number, end: number): FreshnessTimes {
  const within = clip(periods, start, end);
  const time = (wanted: string) => {
    const found = within.filter(({ status }) => status === wanted);
    return found.reduce((sum, { from, until }) => sum + until - from, 0);
  };
  // Whole milliseconds: of fractions of minutes, all of the time could become 99.99999999999999 %.
  const [fresh, stale, unknown] = [time('fresh'), time('stale'), time('unknown')];
  return {
    fresh_minutes: fresh / minuteMs,
    stale_minutes: stale / minuteMs,
    unknown_minutes: unknown / minuteMs,
    unobserved_minutes: (end - start - fresh - stale - unknown) / minuteMs,
    fresh_percent: fresh + stale === 0 ? null : (100 * fresh) / (fresh + stale),
    longest_breach: longestBreach(within),
  };
}

function longestBreach(periods: readonly FreshnessPeriod[]): Breach | null {
  const [longest] = periods
    .filter(({ status, from, until }) => status === 'stale' && until > from)
    .toSorted((a, b) => b.until - b.from - (a.until - a.from));
  if (longest === undefined) return null;
  const { from, until } = longest;
  return { from: timestamp(from), until: timestamp(until), minutes: (until - from) / minuteMs };
}
