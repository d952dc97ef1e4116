import { severities, type Severity } from '../contract/vocabulary.ts';
import { InvalidRequestError, type Issue } from '../errors.ts';
import type { FreshnessDemand, GateEvent, GateOptions, MetricSelection, RuleSelection } from './options.ts';

/** What is asked of the gate, checked and made whole once. */
export interface Demand {
  readonly assetIds: readonly string[];
  readonly rules: RuleSelection | undefined;
  readonly freshness: FreshnessDemand | undefined;
  readonly metrics: MetricSelection | undefined;
  readonly failOn: Severity;
  readonly allowEmpty: boolean;
  readonly sampleLimit: number | undefined;
  readonly concurrency: number;
  readonly onProgress: (event: GateEvent) => void;
}

/** Makes the options whole; throws `InvalidRequestError` naming each that can't be used. */
export function toDemand(assetIds: string | readonly string[], options: GateOptions): Demand {
  const demand: Demand = {
    assetIds: [...new Set([assetIds].flat())],
    rules: toSelection(options.rules ?? true),
    freshness: toSelection(options.freshness ?? false),
    metrics: toSelection(options.metrics ?? false),
    failOn: options.failOn ?? 'warning',
    allowEmpty: options.allowEmpty ?? false,
    sampleLimit: options.sampleLimit,
    concurrency: options.concurrency ?? 8,
    onProgress: options.onProgress ?? (() => undefined),
  };
  const issues = [...findIssues(demand, options.timeout)];
  if (issues.length > 0) throw new InvalidRequestError('gate', issues);
  return demand;
}

function toSelection<Selection extends object>(given: boolean | Selection): Partial<Selection> | undefined {
  if (given === false) return undefined;
  return given === true ? {} : given;
}

/** `setTimeout` takes a longer time for none at all. */
const longestTimer = 2 ** 31 - 1;

function* findIssues(demand: Demand, timeout: number | undefined): Generator<Issue> {
  const { assetIds, failOn, sampleLimit, concurrency, freshness } = demand;
  if (!assetIds.every((id) => typeof id === 'string' && id !== '')) {
    yield { path: ['assetIds'], message: 'must be ids, none of them empty' };
  }
  if (!severities.includes(failOn)) {
    yield { path: ['failOn'], message: `must be one of ${severities.join(', ')}, not ${failOn}` };
  }
  if (!(Number.isInteger(concurrency) && concurrency >= 1)) {
    yield { path: ['concurrency'], message: `must be a whole number, 1 or more, not ${concurrency}` };
  }
  if (sampleLimit !== undefined && !(Number.isInteger(sampleLimit) && sampleLimit >= 0)) {
    yield { path: ['sampleLimit'], message: `must be a whole number, 0 or more, not ${sampleLimit}` };
  }
  if (timeout !== undefined && !(timeout > 0 && timeout <= longestTimer)) {
    yield {
      path: ['timeout'],
      message: `must be more than 0 ms and at most ${longestTimer}, not ${timeout}`,
    };
  }
  const { maxAgeMinutes, waitMs } = freshness ?? {};
  if (maxAgeMinutes !== undefined && !(maxAgeMinutes > 0)) {
    yield { path: ['freshness', 'maxAgeMinutes'], message: `must be more than 0, not ${maxAgeMinutes}` };
  }
  if (waitMs !== undefined && !(waitMs >= 0 && waitMs <= longestTimer)) {
    yield { path: ['freshness', 'waitMs'], message: `must be 0 to ${longestTimer}, not ${waitMs}` };
  }
}
