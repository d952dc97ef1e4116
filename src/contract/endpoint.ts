import type * as z from 'zod/mini';

/** A schema of the contract; every schema this package makes fits. */
export type Schema<Output = unknown> = z.core.$ZodType<Output>;

/** HTTP methods the interface uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whether a request may be sent again after an ambiguous failure: `safe` changes nothing, `idempotent`
 * changes nothing more the second time, `never` might act twice.
 */
export type Retry = 'safe' | 'idempotent' | 'never';

/**
 * How a 2xx answer wraps its value (interface: Common envelopes).
 *
 * - `object`: `{ data: value }`
 * - `list`: `{ data: { items }, pagination }`, and `{ data: [ ], pagination }` alike
 * - `freshness`: `{ success, data: value, message, error, meta }`
 * - `freshness-envelope`: the same, with the envelope itself as the value
 * - `optional`: the interface does not show the body; the value is `data`, the body, or `{}`
 * - `deletion`: likewise, where nothing or no `success` means that it is done
 * - `any`: an endpoint this package does not know; the value is `data` where there is one, else the body
 */
export type Envelope =
  'object' | 'list' | 'freshness' | 'freshness-envelope' | 'optional' | 'deletion' | 'any';

/**
 * One endpoint of the service, as plain data: the client, the fake, the local service and the README's
 * reference all read this value.
 */
export interface Endpoint<Params = unknown, Query = unknown, Body = unknown, Response = unknown> {
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly method: Method;
  /** Path below the base address, with `{name}` where a parameter goes. */
  readonly path: string;
  readonly retry: Retry;
  /** The scope a key needs (interface: Authentication 2). */
  readonly scope: 'read-only' | 'read-write';
  readonly request: {
    readonly params: Schema<Params>;
    readonly query?: Schema<Query>;
    readonly body?: Schema<Body>;
    /** How the body travels; `json` unless it is the upload of a file. */
    readonly encoding?: 'json' | 'multipart';
  };
  readonly envelope: Envelope;
  /** The value inside the envelope; for a list, one item. */
  readonly response: Schema<Response>;
  /** Milliseconds one attempt may take unless the caller says otherwise; the client's default where absent. */
  readonly timeout?: number;
}

/** Returns the description unchanged, with its types inferred. */
export function defineEndpoint<Params, Query, Body, Response>(
  endpoint: Endpoint<Params, Query, Body, Response>,
): Endpoint<Params, Query, Body, Response> {
  return endpoint;
}
