import type { CallDescription } from '../errors/call-description.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { TimeoutError } from '../errors/no-result-errors.ts';
import type { CallDeadline } from './call-deadline.ts';
import { connectionFailure } from './connection-failure.ts';
import type { OutgoingRequest } from './encode.ts';
import type * as Ky from './ky.ts';
import { readText } from './read-text.ts';

/** A response with its body read. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Whether the body was longer than may be read; `text` is its beginning. */
  readonly isTruncated: boolean;
}

/** What limits one attempt. */
export interface TransportLimits {
  readonly timeoutMs: number;
  readonly maxResponseSize: number;
  readonly deadline: CallDeadline;
}

/**
 * Sends a request once and reads the whole response within `timeoutMs`.
 *
 * Throws `ConnectionError`, `TimeoutError`, `InvalidRequestError` for a file that can't be read any more, or, when
 * the call must end, the error of its deadline.
 */
export async function transport(
  outgoing: OutgoingRequest,
  headers: Readonly<Record<string, string>>,
  call: CallDescription,
  { timeoutMs, maxResponseSize, deadline }: TransportLimits,
  fetch: typeof globalThis.fetch,
): Promise<RawResponse> {
  const controller = new AbortController();
  let timedOut = false;

  // A fetch that ignores its signal must not keep the caller waiting, hence a promise of our own.
  const response = Promise.withResolvers<RawResponse>();
  const interrupt = (): void => {
    controller.abort();
    response.reject(controller.signal.reason);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    interrupt();
  }, timeoutMs);
  deadline.signal?.addEventListener('abort', interrupt, { once: true });

  try {
    if (deadline.aborted) interrupt();
    exchange(outgoing, headers, controller.signal, maxResponseSize, fetch).then(
      response.resolve,
      response.reject,
    );
    return await response.promise;
  } catch (thrown) {
    if (deadline.aborted) throw deadline.error(call, true);
    if (timedOut) throw new TimeoutError(call, { option: 'timeout', timeoutMs }, true);
    throw unreadableBody(thrown) ?? connectionFailure(call, new URL(outgoing.url).host, thrown);
  } finally {
    clearTimeout(timer);
    deadline.signal?.removeEventListener('abort', interrupt);
  }
}

/** The error of a request body that could not be read, which `fetch` hides behind its own. */
function unreadableBody(thrown: unknown): InvalidRequestError | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof InvalidRequestError) return error;
  }
  return undefined;
}

/**
 * Loaded for the first request: ky looks at `Request` as it loads, and for that Node loads all of `fetch`, which
 * takes longer than the rest of an import of this package.
 */
let ky: Promise<typeof Ky> | undefined;

async function exchange(
  outgoing: OutgoingRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  maxResponseSize: number,
  fetch: typeof globalThis.fetch,
): Promise<RawResponse> {
  const body = requestBody(outgoing);
  // Cloudflare Workers do not know 'error', so there a redirect arrives as a response.
  const redirect = globalThis.navigator?.userAgent === 'Cloudflare-Workers' ? 'manual' : 'error';
  const request = {
    method: outgoing.method,
    headers,
    body,
    signal,
    // Keeps the key with its host, and keeps fetch from holding on to a body in case it must be sent again.
    redirect,
    ...(body !== null && { duplex: 'half' as const }),
  } as const;
  ky ??= import('./ky.ts');
  const { send, isNetworkError } = await ky;
  try {
    // ky settles what a runtime's fetch may return or throw, and distinguishes network errors from programming errors. Its
    // retries and timeouts stay off: they know neither which requests may be repeated nor a limit over the body.
    const response = await send(outgoing.url, {
      // What ky is given it copies, and listens to, before `fetch` does the same once more. Every wrapper of
      // `fetch` takes a string.
      fetch: () => fetch(outgoing.url, request),
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
    });
    if (redirect === 'manual' && response.status >= 300 && response.status < 400) {
      throw new TypeError('unexpected redirect');
    }
    const read = await readText(response, maxResponseSize);
    return { status: response.status, headers: response.headers, ...read };
  } catch (thrown) {
    // ky's own error contains the request, and with it the key.
    throw isNetworkError(thrown) ? thrown.cause : thrown;
  }
}

/** Deno repeats a request on a connection that was reset, unless its body is a Blob or a stream. */
function requestBody({ method, body }: OutgoingRequest): NonNullable<RequestInit['body']> | null {
  const made = body?.() ?? null;
  if (!('Deno' in globalThis) || method === 'GET') return made;
  return made === null || typeof made === 'string' ? new Blob(made === null ? [] : [made]) : made;
}
