import { formatMeasured, formatNumber } from '../judgement/number.ts';
import { asRecord, displayText } from '../judgement/field.ts';
import { describeInvalid } from '../judgement/check.ts';
import { freshnessLabel, subject } from './display-name.ts';
import { readSamples } from './samples.ts';
import { severityRank } from '../judgement/severity.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import type {
  Check,
  CheckLabels,
  FreshnessCheck,
  MetricCheck,
  Problem,
  RuleCheck,
  Verdict,
} from './verdict.ts';

/** One line of a rendered verdict: any check, or a problem that belongs to none. */
export interface Row {
  readonly outcome: CheckOutcome;
  /** Of a rule; empty for everything else. */
  readonly severity: string;
  /** Table and column, or asset. */
  readonly subject: string;
  /** Type and name. */
  readonly title: string;
  /** What was found, in one sentence. */
  readonly detail: string;
  /** One entry a row that broke the rule. */
  readonly samples: readonly string[];
}

const order: readonly CheckOutcome[] = ['failed', 'inconclusive', 'tolerated', 'passed', 'skipped'];

/** The lines of a verdict, first what fails the gate, and among those the most severe rules. */
export function toRows(verdict: Verdict): Row[] {
  const rows = [
    ...verdict.problems.map(problemRow),
    ...verdict.freshness.map(freshnessRow),
    ...verdict.checks.map(ruleRow),
    ...verdict.metrics.map(metricRow),
  ];
  return rows.sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome) || gravity(b) - gravity(a));
}

/** The verdict in one line. */
export function headline({ outcome, counts, problems }: Verdict): string {
  const parts = order
    .map((kind) => [counts[kind] + (kind === 'inconclusive' ? problems.length : 0), kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${formatNumber(count)} ${kind}`);
  return `Gate ${outcome}: ${parts.join(', ')}`;
}

/** What has no severity comes after the rules. */
function gravity({ severity }: Row): number {
  return severity === '' ? -1 : severityRank(severity);
}

function problemRow({ assetId, reason }: Problem): Row {
  return {
    outcome: 'inconclusive',
    severity: '',
    subject: assetId ?? '',
    title: 'gate',
    detail: reason,
    samples: [],
  };
}

function freshnessRow(check: FreshnessCheck): Row {
  const age = asRecord(check.freshness)['data_age_minutes'];
  const found = typeof age === 'number' ? `${formatNumber(age)} minutes old` : 'fresh';
  return { ...common(check, found), subject: freshnessLabel(check), title: 'freshness' };
}

function ruleRow({ rule, result, ...check }: RuleCheck): Row {
  const { rule_type, name, severity } = asRecord(rule);
  return {
    ...common(check, describeInvalid(result) ?? ''),
    severity: displayText(severity),
    subject: subject(rule),
    title: [rule_type, name].map(displayText).filter(Boolean).join(' '),
    samples: readSamples(result).map(describeSample),
  };
}

function metricRow({ metric, snapshots = [], ...check }: MetricCheck): Row {
  const values = snapshots
    .map((snapshot) => asRecord(snapshot)['value'])
    .map((value) => (typeof value === 'number' ? formatMeasured(value) : 'no value'));
  const found = values.length > 3 ? `${values.length} groups` : values.join(', ');
  const title = displayText(asRecord(metric)['metric_type']) || 'metric';
  return { ...common(check, found), subject: subject(metric), title };
}

function common(
  { outcome, reason, owner, tags = [] }: Omit<Check, 'assetId'> & CheckLabels,
  found: string,
): Omit<Row, 'subject' | 'title'> {
  const isCalm = outcome === 'passed' || outcome === 'skipped';
  const labels = isCalm
    ? []
    : [
        ...(owner === undefined ? [] : [`owner ${owner}`]),
        ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
      ];
  const suffix = labels.length === 0 ? '' : ` (${labels.join('; ')})`;
  return { outcome, severity: '', detail: `${reason ?? found}${suffix}`, samples: [] };
}

/** One row that broke a rule, in one line. */
export function describeSample(sample: unknown): string {
  const { row_id, value, ...others } = asRecord(sample);
  if (Object.keys(asRecord(sample)).length === 0) return JSON.stringify(sample) ?? 'no value';
  const row = typeof row_id === 'number' || typeof row_id === 'string' ? `row ${row_id}: ` : '';
  const rest = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`;
  return `${row}${JSON.stringify(value) ?? 'no value'}${rest}`;
}
