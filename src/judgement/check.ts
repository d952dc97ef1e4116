import type { ValidityCheckResult, ValidityRule } from '../contract/validity-responses.ts';
import { severities, type Severity } from '../contract/vocabulary.ts';
import { asRecord, describeStatus, normalize } from './field.ts';
import { formatNumber } from './number.ts';
import type { Judgement } from './outcome.ts';
import { formatPercent } from './percent.ts';
import { severityOf, severityRank } from './severity.ts';

/** How strictly the result of a rule is judged. */
export interface JudgeCheckOptions {
  /** The rule that was checked: its severity decides whether a failure is tolerated. Without it, none is. */
  readonly rule?: Pick<ValidityRule, 'severity'> | undefined;
  /**
   * The lowest severity at which a failed check counts as failed; below it, it is `tolerated`.
   *
   * @default 'warning'
   */
  readonly failOn?: Severity | undefined;
  /**
   * Whether a check that examined no rows may pass.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * Judges the result of a check. Only the status `pass` (in any case) over at least one row passes; `fail` fails, or
 * is `tolerated` if the severity of the rule is below `failOn`. Everything else is inconclusive: another status, no
 * rows, and counts that contradict a pass.
 *
 * @example
 * const { outcome, reason } = judgeCheck(await client.validity.check(assetId, rule.uuid), { rule });
 * if (outcome !== 'passed') console.error(outcome, reason);
 */
export function judgeCheck(
  result: ValidityCheckResult,
  { rule, failOn = 'warning', allowEmpty = false }: JudgeCheckOptions = {},
): Judgement<'passed' | 'failed' | 'inconclusive' | 'tolerated'> {
  // Without validation of responses, every field can be anything.
  const fields = asRecord(result);
  const status = normalize(fields['status']);
  if (status === 'pass') {
    const doubt = findDoubt(fields, asRecord(rule), allowEmpty);
    return doubt === undefined ? { outcome: 'passed' } : { outcome: 'inconclusive', reason: doubt };
  }
  if (status === 'fail') {
    const reason = describeInvalid(fields) ?? 'the check failed';
    if (rule === undefined || severityRank(asRecord(rule)['severity']) >= severities.indexOf(failOn)) {
      return { outcome: 'failed', reason };
    }
    const severity = severityOf(asRecord(rule)['severity']);
    return { outcome: 'tolerated', reason: `${reason}; severity ${severity}, below ${failOn}` };
  }
  const message = fields['error_message'];
  const detail = typeof message === 'string' && message !== '' ? `: ${message}` : '';
  return {
    outcome: 'inconclusive',
    reason: `the check ended with ${describeStatus(fields['status'])}${detail}`,
  };
}

/** How many rows a check found invalid, in words; `undefined` if it does not say. */
export function describeInvalid(result: unknown): string | undefined {
  const { total_rows, invalid_count, invalid_percent } = asRecord(result);
  const percent = typeof invalid_percent === 'number' ? ` (${formatPercent(invalid_percent)})` : '';
  if (typeof invalid_count !== 'number') return percent === '' ? undefined : `rows are invalid${percent}`;
  const rows = typeof total_rows === 'number' ? ` of ${formatNumber(total_rows)}` : '';
  return `${formatNumber(invalid_count)}${rows} rows ${invalid_count === 1 ? 'is' : 'are'} invalid${percent}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** Why a pass can't be trusted, if anything speaks against it. */
function findDoubt(result: Fields, rule: Fields, allowEmpty: boolean): string | undefined {
  const { total_rows: rows, invalid_count: invalid, invalid_percent: percent } = result;
  const { alert_threshold_percent: threshold } = rule;
  if (rows === undefined || rows === null) {
    return allowEmpty ? undefined : 'the check passed, but does not say how many rows it examined';
  }
  if (typeof rows !== 'number' || !(rows >= 0)) return 'the check passed, but its total_rows is not a count';
  if (rows === 0 && !allowEmpty) return 'the table has no rows, so nothing was checked';
  if (typeof invalid === 'number' && !(invalid >= 0 && invalid <= rows)) {
    return `the check passed, but reports ${formatNumber(invalid)} of ${formatNumber(rows)} rows as invalid`;
  }
  if (typeof percent !== 'number') return undefined;
  if (!(percent >= 0 && percent <= 100)) return `the check passed, but reports ${percent} % invalid rows`;
  if (typeof threshold === 'number' && percent > threshold) {
    return `the check passed, but reports ${formatPercent(percent)} invalid rows, above the threshold of ${threshold} %`;
  }
  return undefined;
}
