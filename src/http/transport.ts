import type * as Ky from 'ky';

import { type CallDescription, TimeoutError } from '../errors.ts';
import { connectionFailure } from './connection-failure.ts';
import type { OutgoingRequest } from './encode.ts';
import type { Lifetime } from './lifetime.ts';

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request once and reads the whole answer within `timeoutMs`.
 *
 * Throws `ConnectionError` or `TimeoutError`, or, when the call's lifetime is over, what that says.
 */
export async function transport(
  outgoing: OutgoingRequest,
  headers: Readonly<Record<string, string>>,
  call: CallDescription,
  limit: { readonly timeoutMs: number; readonly lifetime: Lifetime; readonly fetch: typeof globalThis.fetch },
): Promise<Answer> {
  const controller = new AbortController();
  const lifetimeSignal = limit.lifetime.signal;
  let timedOut = false;

  // A fetch that ignores its signal must not keep the caller waiting, hence a promise of our own.
  const answer = Promise.withResolvers<Answer>();
  const interrupt = (): void => {
    controller.abort();
    answer.reject(controller.signal.reason);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    interrupt();
  }, limit.timeoutMs);
  lifetimeSignal?.addEventListener('abort', interrupt, { once: true });

  try {
    if (limit.lifetime.over) interrupt();
    exchange(outgoing, headers, controller.signal, limit.fetch).then(answer.resolve, answer.reject);
    return await answer.promise;
  } catch (thrown) {
    if (limit.lifetime.over) throw limit.lifetime.error(call, true, undefined);
    if (timedOut) throw new TimeoutError(call, { option: 'timeout', timeoutMs: limit.timeoutMs }, true);
    throw connectionFailure(call, new URL(outgoing.url).host, thrown);
  } finally {
    clearTimeout(timer);
    lifetimeSignal?.removeEventListener('abort', interrupt);
  }
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
  fetch: typeof globalThis.fetch,
): Promise<Answer> {
  const body = outgoing.body?.() ?? null;
  // Cloudflare Workers know no 'error', so there a redirect is met as an answer.
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
  ky ??= import('ky');
  const { default: send, isNetworkError } = await ky;
  try {
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
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (thrown) {
    // ky's own error holds the request, and with it the key.
    throw isNetworkError(thrown) ? thrown.cause : thrown;
  }
}
