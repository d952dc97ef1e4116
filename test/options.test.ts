import { afterEach, describe, expect, test, vi } from 'vitest';

import { type ClientOptions, ConfigurationError, DataQualityClient } from '../src/index.ts';

const good = { apiKey: 'k', baseUrl: 'https://dq.test' };

function errorOf(options: unknown): unknown {
  try {
    return new DataQualityClient(options as ClientOptions);
  } catch (error) {
    return error;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a wrong option is refused by its name', () => {
  test.each([
    ['maxResponseSize', { maxResponseSize: 0 }],
    ['maxResponseSize', { maxResponseSize: 1.5 }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 7 }],
    ['apiKey', { apiKey: 'a b' }],
    ['apiKey', { apiKey: 'a\n' }],
    ['apiKey', { apiKey: 'ключ' }],
    ['baseUrl', { baseUrl: '' }],
    ['baseUrl', { baseUrl: 'dq.test' }],
    ['baseUrl', { baseUrl: '/api/v1' }],
    ['baseUrl', { baseUrl: 7 }],
    ['baseUrl', { baseUrl: 'ftp://dq.test' }],
    ['baseUrl', { baseUrl: 'file:///etc' }],
    ['baseUrl', { baseUrl: 'https://user:pass@dq.test' }],
    ['baseUrl', { baseUrl: 'https://dq.test?tenant=1' }],
    ['baseUrl', { baseUrl: 'https://dq.test#x' }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: -1 }],
    ['timeout', { timeout: Number.NaN }],
    ['timeout', { timeout: Infinity }],
    ['timeout', { timeout: 2 ** 31 }],
    ['timeout', { timeout: '30' }],
    ['timeout', { timeout: null }],
    ['totalTimeout', { totalTimeout: 0 }],
    ['maxRetries', { maxRetries: -1 }],
    ['maxRetries', { maxRetries: 1.5 }],
    ['maxRetries', { maxRetries: Infinity }],
    ['maxRetries', { maxRetries: '3' }],
    ['maxRetryAfter', { maxRetryAfter: -1 }],
    ['retryDelay', { retryDelay: -1 }],
    ['maxRetryAfter', { maxRetryAfter: Number.NaN }],
    ['rateLimit', { rateLimit: 'fast' }],
    ['rateLimit', { rateLimit: true }],
    ['rateLimit', { rateLimit: { tier: 'gold' } }],
    ['rateLimit', { rateLimit: { perMinute: 0, perSecond: 1 } }],
    ['rateLimit', { rateLimit: { perSecond: 1 } }],
    ['fetch', { fetch: 'fetch' }],
    ['headers', { headers: 'x' }],
    ['headers', { headers: { 'a b': 'c' } }],
    ['headers', { headers: { a: 'b\nc' } }],
    ['headers', { headers: { a: 7 } }],
    ['headers', { headers: { Authorization: 'Bearer mine' } }],
    ['hooks', { hooks: 'x' }],
    ['hooks.onRequest', { hooks: { onRequest: 'x' } }],
    ['Unknown hook "onError". Valid hooks: onRequest', { hooks: { onError: () => undefined } }],
    ['logger', { logger: {} }],
    ['logger', { logger: 'console' }],
    ['logLevel', { logLevel: 'loud' }],
    ['responseValidation', { responseValidation: 'maybe' }],
    ['dangerouslyAllowBrowser', { dangerouslyAllowBrowser: 'yes' }],
    ['allowInsecureHttp', { allowInsecureHttp: 1 }],
    ['Unknown option "retries". Valid options: apiKey', { retries: 3 }],
  ])('%s: %j', (name, options) => {
    const error = errorOf({ ...good, ...options });
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: 'CONFIGURATION', name: 'ConfigurationError' });
    expect((error as Error).message.startsWith(name)).toBe(true);
  });

  test.each([null, 'a-key', 7])('options that are not an object: %j', (options) => {
    expect(errorOf(options)).toBeInstanceOf(ConfigurationError);
  });

  test('withOptions checks its options too', () => {
    const client = new DataQualityClient(good);
    expect(() => client.withOptions({ timeout: -1 })).toThrow(/^timeout/);
  });
});

describe('what is allowed', () => {
  test.each([
    { baseUrl: new URL('https://dq.test/eu/') },
    { apiKey: () => 'k' },
    { timeout: 1, totalTimeout: 2 ** 31 - 1, maxRetries: 0, maxRetryAfter: 0 },
    { maxRetryAfter: Infinity },
    { rateLimit: false },
    { rateLimit: 'auto' },
    { rateLimit: { tier: 'growth' } },
    { rateLimit: { perMinute: 500, perSecond: 25 } },
    { headers: {}, hooks: {}, logger: console, logLevel: 'off' },
    { timeout: undefined, headers: undefined, hooks: undefined, logger: undefined, rateLimit: undefined },
  ])('%j', (options) => {
    expect(errorOf({ ...good, ...options })).toBeInstanceOf(DataQualityClient);
  });
});

describe('the environment', () => {
  test('that may not be read, as in Deno without --allow-env, has no key', () => {
    vi.stubGlobal('process', {
      get env(): never {
        throw new Error('Requires env access');
      },
    });
    expect(errorOf({ baseUrl: 'https://dq.test' })).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('DATA_QUALITY_API_KEY'),
    });
  });

  test.each(['20.19.0', '22.11.0'])('with Node %s is refused in one sentence', (version) => {
    vi.stubGlobal('process', { env: {}, versions: { node: version } });
    expect(errorOf(good)).toMatchObject({
      name: 'ConfigurationError',
      message: `data-quality-client needs Node 22.12 or later; this is Node ${version}`,
    });
  });

  test.each(['22.12.0', '24.0.0'])('with Node %s is accepted', (version) => {
    vi.stubGlobal('process', { env: {}, versions: { node: version } });
    expect(errorOf(good)).toBeInstanceOf(DataQualityClient);
  });

  test('that is Deno or Bun may resemble an older Node', () => {
    vi.stubGlobal('process', { env: {}, versions: { node: '20.11.1' } });
    vi.stubGlobal('Deno', {});
    expect(errorOf(good)).toBeInstanceOf(DataQualityClient);
  });

  test('gives the key and the base URL if the options do not', async () => {
    vi.stubEnv('DATA_QUALITY_API_KEY', 'from-env');
    vi.stubEnv('DATA_QUALITY_BASE_URL', 'https://env.test');
    const seen: string[] = [];
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      seen.push(`${request.headers.get('authorization')} ${new URL(request.url).origin}`);
      return Response.json({ data: {} });
    };
    await new DataQualityClient({ fetch }).validity.summary('a');
    await new DataQualityClient({ fetch, ...good }).validity.summary('a');
    expect(seen).toEqual(['Bearer from-env https://env.test', 'Bearer k https://dq.test']);
  });

  test.each([
    ['apiKey', 'DATA_QUALITY_API_KEY', { baseUrl: 'https://dq.test' }],
    ['baseUrl', 'DATA_QUALITY_BASE_URL', { apiKey: 'k' }],
  ])('is named if %s is in neither', (option, variable, options) => {
    for (const value of [undefined, '']) {
      vi.stubEnv(variable, value);
      expect(errorOf(options)).toMatchObject({
        name: 'ConfigurationError',
        message: expect.stringMatching(new RegExp(`^${option}: .*${variable}`)),
      });
    }
  });
});

describe('plain http', () => {
  test.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://127.1.2.3',
    'http://[::1]:8080',
    'http://dq.localhost',
  ])('reaches loopback: %s', (baseUrl) => {
    expect(errorOf({ ...good, baseUrl })).toBeInstanceOf(DataQualityClient);
  });

  test.each([
    'http://dq.test',
    'http://10.0.0.1',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example/localhost',
  ])('is refused beyond it, unless that is asked for: %s', (baseUrl) => {
    expect(errorOf({ ...good, baseUrl })).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/^baseUrl: .*allowInsecureHttp/),
    });
    expect(errorOf({ ...good, baseUrl, allowInsecureHttp: true })).toBeInstanceOf(DataQualityClient);
  });
});

test('a browser is refused, unless that is asked for', () => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  expect(errorOf(good)).toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringMatching(/^dangerouslyAllowBrowser/),
  });
  expect(errorOf({ ...good, dangerouslyAllowBrowser: true })).toBeInstanceOf(DataQualityClient);
});

test('works in a runtime without a process', () => {
  vi.stubGlobal('process', undefined);
  expect(errorOf(good)).toBeInstanceOf(DataQualityClient);
  expect(errorOf({ apiKey: 'k' })).toMatchObject({ message: expect.stringContaining('baseUrl') });
});
