import type { Endpoint } from '../contract/endpoint.ts';
import type { Issue } from '../contract/issue.ts';
import { longestTimer } from '../contract/vocabulary.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { nameOf } from './encode.ts';
import type { RequestOptions } from './settings.ts';

/** What is wrong with a number of milliseconds that a timer is to wait, if anything. */
export function milliseconds(value: unknown): string | undefined {
  return typeof value === 'number' && value > 0 && value <= longestTimer
    ? undefined
    : `must be a number of milliseconds between 1 and ${longestTimer}, not ${String(value)}`;
}

/** What is wrong with a number of things of which there must be `least`, if anything. */
export function wholeNumber(value: unknown, least: number): string | undefined {
  return Number.isSafeInteger(value) && (value as number) >= least
    ? undefined
    : `must be a whole number, ${least} or more, not ${String(value)}`;
}

/** What is wrong with headers that are to be added to a request, if anything. */
export function invalidHeaders(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return 'must be an object of names and values';
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'authorization') return 'authorization is made of apiKey';
    if (!isHeader(name, value)) return `${name} has a name or a value that a header cannot contain`;
  }
  return undefined;
}

function isHeader(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new Headers({ [name]: value }).has(name);
  } catch {
    return false;
  }
}

/** Throws `InvalidRequestError` about `subject` unless so many can be done at once. */
export function checkConcurrency(subject: string, concurrency: unknown): void {
  const message = wholeNumber(concurrency, 1);
  if (message !== undefined) throw new InvalidRequestError(subject, [{ path: ['concurrency'], message }]);
}

/** Throws `InvalidRequestError` if the options of a call can't be used. */
export function checkRequestOptions(endpoint: Endpoint, options: RequestOptions): void {
  const issues: Issue[] = [];
  const collect = (name: keyof RequestOptions, problem: string | undefined): void => {
    if (problem !== undefined) issues.push({ path: ['options', name], message: problem });
  };
  const { signal, timeout, totalTimeout, maxRetries, headers } = options;
  if (timeout !== undefined) collect('timeout', milliseconds(timeout));
  if (totalTimeout !== undefined) collect('totalTimeout', milliseconds(totalTimeout));
  if (maxRetries !== undefined) collect('maxRetries', wholeNumber(maxRetries, 0));
  if (signal !== undefined && typeof signal.addEventListener !== 'function') {
    collect('signal', 'must be an AbortSignal');
  }
  if (headers !== undefined) collect('headers', invalidHeaders(headers));
  if (issues.length > 0) throw new InvalidRequestError(nameOf(endpoint), issues);
}
