import { inconclusiveCode } from './exit-code.ts';
import { metricLabel, ruleLabel } from './label.ts';
import type {
  Check,
  CheckOutcome,
  Counts,
  ExitCode,
  FreshnessCheck,
  MetricCheck,
  Outcome,
  Problem,
  RuleCheck,
  Verdict,
} from './verdict.ts';

/** What was found, before it is weighed. */
export interface Findings {
  readonly checks: readonly RuleCheck[];
  readonly freshness: readonly FreshnessCheck[];
  readonly metrics: readonly MetricCheck[];
  readonly problems: readonly Problem[];
}

/** Weighs everything that was found: one failure fails the gate, and nothing unclear leaves it open. */
export function conclude(findings: Findings, startedAt: Date, durationMs: number): Verdict {
  const named = nameChecks(findings);
  const codes = [
    ...named.map(({ check }) => exitCode(check)),
    ...findings.problems.map((problem) => problem.exitCode),
  ].filter((code) => code !== 0);
  const code = codes.length === 0 ? 0 : (Math.min(...codes) as ExitCode);
  return {
    outcome: outcomeOf(code),
    exitCode: code,
    reasons: [
      ...describe(named, 'failed'),
      ...findings.problems.map(({ reason }) => reason),
      ...describe(named, 'inconclusive'),
    ],
    ...findings,
    counts: count(named.map(({ check }) => check)),
    startedAt: startedAt.toISOString(),
    durationMs,
  };
}

interface NamedCheck {
  readonly check: Check;
  readonly name: string;
}

function nameChecks({ checks, freshness, metrics }: Findings): NamedCheck[] {
  return [
    ...freshness.map((check) => ({ check, name: `freshness of ${check.freshness?.asset ?? check.assetId}` })),
    ...checks.map((check) => ({ check, name: ruleLabel(check.rule) })),
    ...metrics.map((check) => ({ check, name: metricLabel(check.metric) })),
  ];
}

function exitCode({ outcome, error }: Check): ExitCode {
  if (outcome === 'failed') return 1;
  return outcome === 'inconclusive' ? inconclusiveCode(error) : 0;
}

function outcomeOf(code: ExitCode): Outcome {
  if (code === 0) return 'passed';
  return code === 1 ? 'failed' : 'inconclusive';
}

function describe(named: readonly NamedCheck[], outcome: CheckOutcome): string[] {
  return named
    .filter(({ check }) => check.outcome === outcome)
    .map(({ check, name }) => `${name}: ${check.reason}`);
}

function count(checks: readonly Check[]): Counts {
  const counts = { passed: 0, failed: 0, inconclusive: 0, tolerated: 0, skipped: 0 };
  for (const { outcome } of checks) counts[outcome]++;
  return counts;
}
