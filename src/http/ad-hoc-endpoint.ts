import * as z from 'zod/mini';

import type { Endpoint, Envelope, Method, Retry, Schema } from '../contract/endpoint.ts';

const retryByMethod: Readonly<Record<Method, Retry>> = {
  GET: 'safe',
  PUT: 'idempotent',
  PATCH: 'idempotent',
  DELETE: 'idempotent',
  POST: 'never',
};

/** Describes an endpoint that has no method yet; a POST might act twice, everything else may be sent again. */
export function adHocEndpoint<Response>(
  method: Method,
  path: string,
  envelope: Envelope,
  // Without a schema the caller's type parameter is what the caller says it is.
  schema: Schema<Response> = z.unknown() as unknown as Schema<Response>,
): Endpoint<unknown, unknown, unknown, Response> {
  return {
    summary: `${method} ${path}`,
    method,
    path,
    retry: retryByMethod[method],
    scope: method === 'GET' ? 'read-only' : 'read-write',
    request: { params: z.unknown(), query: z.record(z.string(), z.unknown()), body: z.unknown() },
    envelope,
    response: schema,
  };
}
