import { ConfigurationError } from '../errors.ts';

/** The headers of a request: those every call carries, then the client's, then the call's, then the key. */
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

/** Throws `ConfigurationError`, without showing the key, unless it can stand in a header. */
export function checkKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') {
    throw new ConfigurationError('apiKey: the key is missing or empty');
  }
  // What is outside of visible ASCII makes fetch throw an error that shows the whole header.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigurationError(
      'apiKey: the key has a space, a line break or another character no header can carry',
    );
  }
  return key;
}
