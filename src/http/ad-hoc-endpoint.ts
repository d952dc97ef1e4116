import * as z from 'zod/mini';

import type { Endpoint, Envelope, Method, Retry, Schema } from '../contract/endpoint.ts';

const retryByMethod: Readonly<Record<Method, Retry>> = {
  GET: 'safe',
  POST: 'never',
  PUT: 'idempotent',
  PATCH: 'idempotent',
  DELETE: 'idempotent',
};

/** Whether a URL parser finds in a path what was written and no more, so that the key goes nowhere else. */
function isPlainPath(path: unknown): boolean {
  const origin = 'https://host.invalid';
  return (
    typeof path === 'string' &&
    /^\/(?!\/)[^?#]*$/.test(path) &&
    URL.parse(origin + path)?.href === origin + path
  );
}

/** Describes an endpoint that has no method yet; a POST might act twice, everything else may be sent again. */
export function adHocEndpoint<Response>(
  method: Method,
  path: string,
  envelope: Envelope,
  // Without a schema, the type parameter is the caller's own assertion.
  schema: Schema<Response> = z.unknown() as unknown as Schema<Response>,
): Endpoint<unknown, unknown, unknown, Response> {
  const params = z.unknown().check(
    z.refine(() => Object.hasOwn(retryByMethod, method), {
      path: ['method'],
      error: `must be one of ${Object.keys(retryByMethod).join(', ')}`,
    }),
    z.refine(() => isPlainPath(path), {
      path: ['path'],
      error: 'must begin with one /, be encoded, and contain no ?, no # and no . or .. segment',
    }),
  );
  return {
    summary: `${method} ${path}`,
    method,
    path,
    retry: retryByMethod[method],
    scope: method === 'GET' ? 'read-only' : 'read-write',
    request: { params, query: z.looseObject({}), body: z.unknown() },
    envelope,
    response: schema,
  };
}
