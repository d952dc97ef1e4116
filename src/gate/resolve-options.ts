import { longestTimer, severities, type Severity } from '../contract/vocabulary.ts';
import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import type { FreshnessCriteria, GateEvent, GateOptions, MetricSelection, RuleSelection } from './options.ts';

/** The options of a gate, checked and with their defaults. */
export interface ResolvedGateOptions {
  readonly assetIds: readonly string[];
  readonly rules: RuleSelection | undefined;
  readonly freshness: FreshnessCriteria | undefined;
  readonly metrics: MetricSelection | undefined;
  readonly labels: NonNullable<GateOptions['labels']>;
  readonly failOn: Severity;
  readonly allowEmpty: boolean;
  readonly sampleLimit: number | undefined;
  readonly concurrency: number;
  readonly onProgress: (event: GateEvent) => void;
}

/** As many as the largest tier lets through in a second: the rate limiter sets the pace, and the rules of a table share a scan. */
const defaultConcurrency = 100;

/** Resolves the options; throws `InvalidRequestError` naming each that can't be used. */
export function resolveOptions(
  assetIds: string | readonly string[],
  options: GateOptions,
): ResolvedGateOptions {
  const issues = [
    ...unknownKeys(options, knownOptions, []),
    ...parts.flatMap(([part, known]) => unknownKeys(options[part] ?? true, known, [part])),
  ];
  const resolved: ResolvedGateOptions = {
    assetIds: [...new Set([assetIds].flat())],
    rules: toSelection(options.rules ?? true),
    freshness: toSelection(options.freshness ?? false),
    metrics: toSelection(options.metrics ?? false),
    labels: options.labels ?? (() => ({})),
    failOn: options.failOn ?? 'warning',
    allowEmpty: options.allowEmpty ?? false,
    sampleLimit: options.sampleLimit,
    concurrency: options.concurrency ?? defaultConcurrency,
    onProgress: options.onProgress ?? (() => undefined),
  };
  issues.push(...findIssues(resolved, options.timeout));
  if (issues.length > 0) throw new InvalidRequestError('gate', issues);
  return resolved;
}

const knownOptions: readonly (keyof GateOptions)[] = [
  'rules',
  'freshness',
  'metrics',
  'labels',
  'failOn',
  'allowEmpty',
  'sampleLimit',
  'concurrency',
  'timeout',
  'signal',
  'onProgress',
  'throw',
];

const parts: readonly (readonly ['rules' | 'freshness' | 'metrics', readonly string[]])[] = [
  ['rules', ['rule_type', 'table_path', 'severity', 'ids', 'owner', 'tag'] satisfies (keyof RuleSelection)[]],
  ['freshness', ['maxAgeMinutes', 'waitMs', 'expectations'] satisfies (keyof FreshnessCriteria)[]],
  ['metrics', ['metric_type', 'ids', 'owner', 'tag'] satisfies (keyof MetricSelection)[]],
];

/** A misspelt name must not widen what is selected. */
function unknownKeys(given: unknown, known: readonly string[], path: readonly string[]): Issue[] {
  if (typeof given === 'boolean') return [];
  if (typeof given !== 'object' || given === null) {
    return [{ path: [...path], message: 'must be true, false or an object' }];
  }
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path: [...path, key], message: `is unknown; valid names: ${known.join(', ')}` }));
}

function toSelection<Selection extends object>(given: boolean | Selection): Partial<Selection> | undefined {
  if (given === false) return undefined;
  return given === true ? {} : given;
}

function* findIssues(resolved: ResolvedGateOptions, timeout: number | undefined): Generator<Issue> {
  const { assetIds, failOn, sampleLimit, concurrency, freshness } = resolved;
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
  const { maxAgeMinutes, waitMs, expectations = [] } = freshness ?? {};
  for (const [at, expectation] of expectations.entries()) {
    const path = ['freshness', 'expectations', at];
    if (!assetIds.includes(expectation.assetId)) {
      yield { path, message: `is about the asset ${expectation.assetId}, which is not checked` };
    }
    const age = expectation.maxAgeMinutes;
    if (age !== undefined && !(age > 0)) {
      yield { path: [...path, 'maxAgeMinutes'], message: `must be more than 0, not ${age}` };
    }
  }
  if ((waitMs ?? 0) > 0 && expectations.some(({ table_path }) => table_path !== undefined)) {
    const message = 'is not possible with expectations of tables: only an asset can be waited for';
    yield { path: ['freshness', 'waitMs'], message };
  }
  if (maxAgeMinutes !== undefined && !(maxAgeMinutes > 0)) {
    yield { path: ['freshness', 'maxAgeMinutes'], message: `must be more than 0, not ${maxAgeMinutes}` };
  }
  if (waitMs !== undefined && !(waitMs >= 0 && waitMs <= longestTimer)) {
    yield { path: ['freshness', 'waitMs'], message: `must be 0 to ${longestTimer}, not ${waitMs}` };
  }
}
