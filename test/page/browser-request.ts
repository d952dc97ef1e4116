import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A response as far as tests of the page look at it. */
export interface PageResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a browser sends when its user opens an address. */
export const navigation = {
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Site': 'none',
} as const;

/** Sends a request with any headers, a foreign `Host` among them, over a connection of its own. */
export async function send(
  method: string,
  address: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<PageResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<PageResponse>();
  request(address, { method, headers, agent: false }, (response) => {
    text(response).then(
      (read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
      reject,
    );
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/** The cookie that a response sets, as a request sends it. */
export function cookieOf({ headers }: PageResponse): string {
  return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
}
