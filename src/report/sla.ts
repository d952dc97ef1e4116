import type { DataQualityClient } from '../index.ts';
import { asRecord, displayText } from '../judgement/field.ts';
import { requestLocalAsset } from './local-service.ts';

/** A time in which the data of an asset was stale without a break. */
export interface Breach {
  /** ISO 8601, UTC. */
  readonly from: string;
  /** ISO 8601, UTC. */
  readonly until: string;
  readonly minutes: number;
}

/** How long the data of an asset was in which state. */
export interface FreshnessTimes {
  readonly fresh_minutes: number;
  readonly stale_minutes: number;
  /** The service looked, and could not find out. */
  readonly unknown_minutes: number;
  /** The service did not observe it. */
  readonly unobserved_minutes: number;
  /** Of the fresh and stale time, in percent; null without either. */
  readonly fresh_percent: number | null;
  readonly longest_breach: Breach | null;
}

/** How well an asset kept the threshold of its freshness over some weeks. */
export interface Sla extends FreshnessTimes {
  /** Percent of the time that the data is to be fresh. */
  readonly target_percent: number;
  /** ISO 8601, UTC. */
  readonly from: string;
  /** ISO 8601, UTC. */
  readonly until: string;
  /** The first observation of that time, ISO 8601, UTC; null without one. */
  readonly observed_since: string | null;
  /** How much stale time the target allows; null while none is known to be fresh or stale. */
  readonly error_budget: {
    readonly allowed_minutes: number;
    readonly spent_minutes: number;
    readonly remaining_minutes: number;
  } | null;
  /** This week first; `week` is its Monday, such as `2026-11-16`. */
  readonly weeks: readonly (FreshnessTimes & { readonly week: string })[];
}

/**
 * Reads from the local service how much of the past weeks an asset was fresh. Returns `undefined` if the service is
 * another, or has observed nothing: a report without a past is still a report.
 */
export async function readSla(
  client: DataQualityClient,
  assetId: string,
  headers: Headers,
  signal: AbortSignal | undefined,
): Promise<Sla | undefined> {
  const response = await requestLocalAsset(client, assetId, 'sla', { headers, signal });
  return response === undefined ? undefined : toSla(response);
}

function toSla(response: unknown): Sla | undefined {
  const fields = asRecord(response);
  const { observed_since, error_budget: budget, weeks } = fields;
  if (typeof observed_since !== 'string' || !Array.isArray(weeks)) return undefined;
  const { allowed_minutes, spent_minutes, remaining_minutes } = asRecord(budget);
  return {
    ...toTimes(fields),
    target_percent: Number(fields['target_percent']),
    from: displayText(fields['from']),
    until: displayText(fields['until']),
    observed_since,
    error_budget:
      typeof allowed_minutes === 'number'
        ? {
            allowed_minutes,
            spent_minutes: Number(spent_minutes),
            remaining_minutes: Number(remaining_minutes),
          }
        : null,
    weeks: weeks.map(asRecord).map(toWeek),
  };
}

function toWeek(fields: Readonly<Record<string, unknown>>): Sla['weeks'][number] {
  return { ...toTimes(fields), week: displayText(fields['week']) };
}

function toTimes(fields: Readonly<Record<string, unknown>>): FreshnessTimes {
  const { fresh_percent: percent, longest_breach } = fields;
  const { from, until, minutes } = asRecord(longest_breach);
  return {
    fresh_minutes: Number(fields['fresh_minutes']),
    stale_minutes: Number(fields['stale_minutes']),
    unknown_minutes: Number(fields['unknown_minutes']),
    unobserved_minutes: Number(fields['unobserved_minutes']),
    fresh_percent: typeof percent === 'number' ? percent : null,
    longest_breach:
      typeof minutes === 'number' ? { from: displayText(from), until: displayText(until), minutes } : null,
  };
}
