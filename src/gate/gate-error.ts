import { DataQualityError, isDataQualityError } from '../errors/data-quality-error.ts';
import type { Verdict } from './verdict.ts';

/** The gate failed: a rule failed, the data is stale, or a metric is anomalous. */
export class GateFailedError extends DataQualityError {
  override readonly name = 'GateFailedError' as const;
  readonly code = 'GATE_FAILED' as const;
  /** Everything the gate found. */
  readonly verdict: Verdict;

  constructor(message: string, verdict: Verdict) {
    super(message);
    this.verdict = verdict;
  }
}

/** The gate is inconclusive: a rule errored, freshness is unknown, nothing was selected, or time ran out. */
export class GateInconclusiveError extends DataQualityError {
  override readonly name = 'GateInconclusiveError' as const;
  readonly code = 'GATE_INCONCLUSIVE' as const;
  /** Everything the gate found. */
  readonly verdict: Verdict;

  /** `options.cause` is the first error that made the gate inconclusive, if one did. */
  constructor(message: string, verdict: Verdict, options?: ErrorOptions) {
    super(message, options);
    this.verdict = verdict;
  }
}

/** What `gate` throws if it does not open, with the whole verdict. */
export type GateError = GateFailedError | GateInconclusiveError;

/**
 * Whether a caught value is what `gate` throws if it does not open, from this copy of the package or another.
 *
 * @example
 * try {
 *   await gate(client, assetId);
 * } catch (error) {
 *   if (!isGateError(error)) throw error;
 *   for (const { rule, result } of error.verdict.checks) console.error(rule.name, result?.invalid_percent);
 * }
 */
export function isGateError(error: unknown): error is GateError {
  return isDataQualityError(error) && (error.code === 'GATE_FAILED' || error.code === 'GATE_INCONCLUSIVE');
}

/** As many reasons as a readable message can have. */
const shownReasons = 3;

/** The error of a gate that does not open. */
export function gateError(verdict: Verdict): GateError {
  const { reasons, outcome } = verdict;
  const rest = reasons.length - shownReasons;
  const more = rest > 0 ? `; and ${rest} more, see error.verdict` : '';
  const why = `${reasons.slice(0, shownReasons).join('; ')}${more}`;
  if (outcome === 'failed') return new GateFailedError(`Gate failed: ${why}`, verdict);
  const cause = firstError(verdict);
  return new GateInconclusiveError(`Gate inconclusive: ${why}`, verdict, cause && { cause });
}

function firstError({ problems, freshness, checks, metrics }: Verdict): Error | undefined {
  return [...problems, ...freshness, ...checks, ...metrics]
    .map(({ error }) => error)
    .find((error) => error instanceof Error);
}
