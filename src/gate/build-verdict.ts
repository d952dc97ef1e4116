import { isApiError } from '../errors/documented-errors.ts';
import {
  type ExitCode,
  exitCode,
  exitCodeOfOutcome,
  exitCodeOfStatus,
  worstCode,
} from '../judgement/exit-code.ts';
import { type CheckOutcome, countOutcomes, type Outcome } from '../judgement/outcome.ts';
import { freshnessLabel, metricLabel, ruleLabel } from './display-name.ts';
import type { Check, FreshnessCheck, MetricCheck, Problem, RuleCheck, Verdict } from './verdict.ts';

/** Everything the gate found, before it becomes one verdict. */
export interface CheckResults {
  readonly checks: readonly RuleCheck[];
  readonly freshness: readonly FreshnessCheck[];
  readonly metrics: readonly MetricCheck[];
  readonly problems: readonly Problem[];
}

/** Builds the verdict: one failure fails the gate, and anything inconclusive keeps it closed. */
export function buildVerdict(results: CheckResults, startedAt: Date, durationMs: number): Verdict {
  const named = nameChecks(results);
  const code = worstCode<ExitCode>([
    ...named.map(({ check }) => codeOf(check)),
    ...results.problems.map((problem) => problem.exitCode),
  ]);
  return {
    outcome: outcomeOf(code),
    exitCode: code,
    reasons: [
      ...describe(named, 'failed'),
      ...results.problems.map(({ reason }) => reason),
      ...describe(named, 'inconclusive'),
    ],
    ...results,
    counts: countOutcomes(named.map(({ check }) => check.outcome)),
    startedAt: startedAt.toISOString(),
    durationMs,
  };
}

/** The exit code of something that is inconclusive because of this error, or for a reason without one. */
export function codeOfError(error: unknown): ExitCode {
  return isApiError(error) ? exitCodeOfStatus(error.status) : exitCode.inconclusive;
}

interface NamedCheck {
  readonly check: Check;
  readonly name: string;
}

function nameChecks({ checks, freshness, metrics }: CheckResults): NamedCheck[] {
  return [
    ...freshness.map((check) => ({
      check,
      name: `freshness of ${freshnessLabel(check)}`,
    })),
    ...checks.map((check) => ({ check, name: ruleLabel(check.rule) })),
    ...metrics.map((check) => ({ check, name: metricLabel(check.metric) })),
  ];
}

function codeOf({ outcome, error }: Check): ExitCode {
  return outcome === 'inconclusive' ? codeOfError(error) : exitCodeOfOutcome(outcome);
}

function outcomeOf(code: ExitCode): Outcome {
  if (code === exitCode.done) return 'passed';
  return code === exitCode.badData ? 'failed' : 'inconclusive';
}

function describe(named: readonly NamedCheck[], outcome: CheckOutcome): string[] {
  return named
    .filter(({ check }) => check.outcome === outcome)
    .map(({ check, name }) => `${name}: ${check.reason}`);
}
