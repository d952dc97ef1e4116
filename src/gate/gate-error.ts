import { GateFailedError, GateInconclusiveError, isDataQualityError } from '../errors.ts';
import type { Verdict } from './verdict.ts';

/** What `gate` throws where it does not open, with the whole verdict. */
export type GateError = (GateFailedError | GateInconclusiveError) & { readonly verdict: Verdict };

/**
 * Whether a caught value is what `gate` throws where it does not open, by this copy of the package or another.
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

/** As many reasons as a message can hold and still be read. */
const shownReasons = 3;

/** The error of a gate that does not open. */
export function gateError(verdict: Verdict): GateFailedError | GateInconclusiveError {
  const { reasons, outcome } = verdict;
  const rest = reasons.length - shownReasons;
  const more = rest > 0 ? `; and ${rest} more, see error.verdict` : '';
  const why = `${reasons.slice(0, shownReasons).join('; ')}${more}`;
  if (outcome === 'failed') return new GateFailedError(`The gate is closed: ${why}`, verdict);
  const cause = firstError(verdict);
  const options = cause === undefined ? undefined : { cause };
  return new GateInconclusiveError(`The gate stays closed, as it could not tell: ${why}`, verdict, options);
}

function firstError({ problems, freshness, checks, metrics }: Verdict): unknown {
  return [...problems, ...freshness, ...checks, ...metrics].find(({ error }) => error !== undefined)?.error;
}
