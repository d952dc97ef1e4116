import type { Freshness, ValidityCheckResult } from '../contract/index.ts';
import { judgeCapture } from '../judgement/capture.ts';
import { judgeCheck } from '../judgement/check.ts';
import { asRecord } from '../judgement/field.ts';
import { judgeFreshness } from '../judgement/freshness.ts';
import { patternOf } from './faults.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** What a matcher returns to Vitest or Jest. */
export interface MatcherResult {
  /** Whether the value matches. */
  readonly pass: boolean;
  /** Returns what the failed assertion reports. */
  readonly message: () => string;
}

/** Which requests `toHaveCalled` counts. */
export interface ExpectedCalls {
  /** How many there must be. @default at least one */
  readonly times?: number;
  /** What their JSON bodies must contain, by the names of their fields; compared as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Matchers for `expect.extend` of Vitest and Jest: `toHavePassed` and `toHaveCalled`.
 *
 * @example
 * expect.extend(matchers);
 * expect(await gate(client, fake.asset.id)).toHavePassed();
 * expect(fake).toHaveCalled('POST /api/v1/sdk/validity/*', { times: 1 });
 */
export const matchers = {
  /** Passes for the verdict of a gate, the result of a check, a capture or a freshness that has clearly passed. */
  toHavePassed(received: unknown): MatcherResult {
    const { outcome, reason } = judge(received);
    const because = reason === undefined ? '' : `: ${reason}`;
    return {
      pass: outcome === 'passed',
      message: () =>
        outcome === 'passed'
          ? 'expected it not to have passed'
          : `expected it to have passed, but it ${described(outcome)}${because}`,
    };
  },

  /**
   * Passes if the fake received requests that match: method and path, or a path alone; `*` matches anything.
   */
  toHaveCalled(
    fake: { readonly requests: readonly RecordedRequest[] },
    on: string,
    { times, body = {} }: ExpectedCalls = {},
  ): MatcherResult {
    const pattern = patternOf(on);
    const calls = fake.requests.filter(
      (request) => pattern.test(`${request.method} ${request.path}`) && contains(request.body, body),
    );
    const wanted = times === undefined ? 'at least one request' : `${times} requests`;
    const received = fake.requests.map(({ method, path }) => `  ${method} ${path}`).join('\n') || '  none';
    return {
      pass: times === undefined ? calls.length > 0 : calls.length === times,
      message: () =>
        `expected ${wanted} to ${on}, and found ${calls.length}. All requests of the fake:\n${received}`,
    };
  },
};

function judge(received: unknown): { readonly outcome: unknown; readonly reason?: string | undefined } {
  const fields = asRecord(received);
  if (typeof fields['outcome'] === 'string') {
    const { outcome, reason, reasons } = fields;
    const words = Array.isArray(reasons) ? reasons.join('; ') : reason;
    return { outcome, reason: typeof words === 'string' && words !== '' ? words : undefined };
  }
  // The judges take any shape, as responses may not have been validated.
  if (Array.isArray(fields['snapshots'])) return judgeCapture({ ...fields, snapshots: fields['snapshots'] });
  return 'invalid_count' in fields
    ? judgeCheck(fields as unknown as ValidityCheckResult)
    : judgeFreshness(fields as unknown as Freshness);
}

function described(outcome: unknown): string {
  return outcome === 'failed' ? 'failed' : `is ${String(outcome)}`;
}

function contains(received: unknown, expected: Readonly<Record<string, unknown>>): boolean {
  const fields = asRecord(received);
  return Object.entries(expected).every(
    ([name, value]) => JSON.stringify(fields[name]) === JSON.stringify(value),
  );
}
