import pRetry from 'p-retry';

import type { Retry } from '../contract/endpoint.ts';
import { ApiError } from '../errors/api-error.ts';
import { InternalError, RateLimitedError } from '../errors/documented-errors.ts';
import { AbortError, ConnectionError, TimeoutError } from '../errors/no-result-errors.ts';
import { isTransient } from './connection-failure.ts';

const repeatableStatus = new Set([500, 502, 503, 504]);

/** Whether a failed attempt may be followed by another one: the retry table of the README. */
export function mayRetry(error: unknown, retry: Retry): boolean {
  if (error instanceof RateLimitedError) return true;
  if (error instanceof ConnectionError) {
    return isTransient(error) && (retry !== 'never' || !error.mayHaveBeenProcessed);
  }
  if (retry === 'never') return false;
  if (error instanceof InternalError) return repeatableStatus.has(error.status);
  return error instanceof TimeoutError && error.option === 'timeout';
}

/** Whether the service may have acted on the attempt that ended in this error. */
export function isAmbiguous(error: unknown): boolean {
  if (error instanceof ApiError) return error instanceof InternalError;
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof AbortError
    ? error.mayHaveBeenProcessed
    : false;
}

/** Exponential back-off with full jitter, at most 16 times the first delay. `failures` counts from 1. */
export function backOff(failures: number, firstDelay: number): number {
  return Math.random() * firstDelay * Math.min(16, 2 ** (failures - 1));
}

/**
 * Runs `attempt` until it succeeds, `pause` says that no other attempt follows, or `maxRetries` are used up.
 * `pause` waits as long as necessary; what it throws ends the call.
 *
 * p-retry counts the attempts and ends with the right error. Its waits are off, because how long to wait, and whether
 * at all, depends on the response, the rate limit and the deadline of the call.
 */
export function retryWhile<T>(
  attempt: () => Promise<T>,
  pause: (error: Error, failures: number) => Promise<boolean>,
  maxRetries: number,
): Promise<T> {
  return pRetry(attempt, {
    retries: maxRetries,
    minTimeout: 0,
    shouldRetry: ({ error, attemptNumber }) => pause(error, attemptNumber),
  });
}
