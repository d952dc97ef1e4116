import { ConfigurationError } from '../errors/configuration-error.ts';

/** The headers of a request: those of every call, then the client's, then the call's, then the key. */
export function requestHeaders(
  key: string,
  contentType: string | undefined,
  ...more: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const given of more) {
    for (const name in given) headers[name.toLowerCase()] = given[name] ?? '';
  }
  if (contentType !== undefined) headers['content-type'] = contentType;
  headers['authorization'] = `Bearer ${key}`;
  return headers;
}

/** Returns the key if a header can contain it, else throws `ConfigurationError`, without showing the key. */
export function checkKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') {
    throw new ConfigurationError('apiKey: the key is missing or empty');
  }
  // Anything but visible ASCII makes fetch throw an error that shows the whole header.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigurationError(
      'apiKey: the key has a space, a line break or another character that a header cannot contain',
    );
  }
  return key;
}

/**
 * Returns the wait that a `Retry-After` header asks for, in ms: seconds (`120`) or an HTTP date. `undefined` if it
 * asks for none: a wait that is over, or a header that can't be understood, leaves the pace to the back-off.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const header = headers.get('retry-after')?.trim();
  if (!header) return undefined;
  const ms = secondsPattern.test(header)
    ? // A proxy may have added its own to the service's.
      Math.max(...header.split(',').map(Number)) * 1000
    : // The date is one of the service's clock, which the `Date` header shows.
      Date.parse(header) - (Date.parse(headers.get('date') ?? '') || now);
  return ms > 0 ? ms : undefined;
}

const secondsPattern = /^[+-]?\d+(\.\d+)?(\s*,\s*[+-]?\d+(\.\d+)?)*$/;

const requestIdNames = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-ms-request-id',
  'cf-ray',
] as const;

/** Returns the id that the service, or a proxy in front of it, gave a request. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of requestIdNames) {
    const id = headers.get(name);
    if (id) return id;
  }
  return undefined;
}
