import { ConfigurationError } from '../errors/configuration-error.ts';
import { isLoopback } from '../loopback.ts';

/** Keeps a path prefix; drops the trailing slash and `/api/v1`, which every path of the interface begins with. */
export function toBaseUrl(baseUrl: string | URL | undefined, allowInsecureHttp: boolean | undefined): string {
  if (baseUrl === undefined) {
    throw new ConfigurationError(
      'baseUrl: give this option or set the environment variable DATA_QUALITY_BASE_URL',
    );
  }
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch (cause) {
    throw new ConfigurationError(
      `baseUrl: ${JSON.stringify(withoutQuery(String(baseUrl)))} is not an absolute URL`,
      {
        cause,
      },
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError('baseUrl: must not contain credentials; use the option apiKey');
  }
  if (url.search !== '' || url.hash !== '') {
    // They may contain a secret, so they are not shown.
    throw new ConfigurationError('baseUrl: must end with its path, without a query and a fragment');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigurationError(`baseUrl: must begin with https://, not ${url.protocol}`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && allowInsecureHttp !== true) {
    throw new ConfigurationError(
      `baseUrl: plain http would show the key to everyone on the way to ${url.host}; use https, or set allowInsecureHttp to true`,
    );
  }
  return url.href
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
    .replace(/\/+$/, '');
}

/** A query may contain a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
