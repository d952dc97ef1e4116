import type { InvalidSample } from '../contract/validity-responses.ts';
import { asRecord } from '../judgement/field.ts';
import type { RuleCheck, Verdict } from './verdict.ts';

/** How much of the rows that broke a rule is shown: nothing, their shape, or everything. */
export type SampleMode = 'none' | 'masked' | 'full';

/** As many characters of a masked text as show its shape. */
const longestMask = 40;

/**
 * Returns the verdict with its samples left out (`none`), masked, or as they are (`full`). Masked, a letter becomes
 * `x`, a digit `9`, and all else but punctuation `*`, so that the shape that broke a rule is seen and the value is
 * not; the row's number stays. Messages and group names of the service are left as they are.
 */
export function withSamples(verdict: Verdict, mode: SampleMode): Verdict {
  if (mode === 'full') return verdict;
  return { ...verdict, checks: verdict.checks.map((check) => limitSamples(check, mode)) };
}

/** The rows that broke a rule, each of which may be anything without validation of responses. */
export function readSamples(result: unknown): readonly unknown[] {
  const { samples } = asRecord(asRecord(result)['invalid_samples']);
  return Array.isArray(samples) ? samples : [];
}

function limitSamples(check: RuleCheck, mode: 'none' | 'masked'): RuleCheck {
  const { result } = check;
  return result === undefined ? check : { ...check, result: withLimitedSamples(result, mode) };
}

/** Returns the result of one check with its samples as {@link withSamples} leaves them in a verdict. */
export function withLimitedSamples<Result extends object>(result: Result, mode: SampleMode): Result {
  const found = asRecord(result)['invalid_samples'];
  if (mode === 'full' || found === null || found === undefined) return result;
  return {
    ...result,
    invalid_samples: mode === 'none' ? null : { samples: readSamples(result).map(maskSample) },
  };
}

function maskSample(sample: unknown): InvalidSample {
  const fields = Object.entries(asRecord(sample));
  // What is not an object is a value by itself.
  if (fields.length === 0) return { value: mask(sample) } as InvalidSample;
  const masked = fields.map(([key, value]) => [
    key,
    key === 'row_id' && typeof value === 'number' ? value : mask(value),
  ]);
  return Object.fromEntries(masked) as InvalidSample;
}

function mask(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value !== 'string' && typeof value !== 'number') return '***';
  const shape = String(value)
    .slice(0, longestMask + 1)
    .replaceAll(/\p{L}/gu, 'x')
    .replaceAll(/\p{N}/gu, '9')
    .replaceAll(/[^x9\s\p{P}\p{S}]/gu, '*');
  return shape.length > longestMask ? `${shape.slice(0, longestMask)}…` : shape;
}
