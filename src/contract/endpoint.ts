import type * as z from 'zod/mini';

import type { Description } from './description.ts';

/** A schema of the contract; every schema this package makes fits. */
export type Schema<Output = unknown> = z.core.$ZodType<Output>;

/** HTTP methods the service uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whether a request may be sent again after an ambiguous failure: `safe` changes nothing, `idempotent`
 * changes nothing more the second time, `never` might act twice.
 */
export type Retry = 'safe' | 'idempotent' | 'never';

/**
 * How the body of a 2xx response wraps its value.
 *
 * - `object`: `{ data: value }`
 * - `list`: `{ data: { items }, pagination }`, or `{ data: [ ], pagination }`
 * - `success`: `{ success, data: value, message, error, meta }`
 * - `success-envelope`: the same, with the envelope itself as the value
 * - `plain`: the value is the body, or the `data` in it
 * - `optional`: the body is not documented; the value is `data`, the body, or `{}`
 * - `deletion`: like `optional`; an empty body or a missing `success` counts as success
 * - `any-list`: a list of an endpoint this package does not know; `list`, or the one array in the body
 * - `any`: an endpoint this package does not know; the value is `data` if there is one, else the body
 */
export type Envelope =
  'object' | 'list' | 'success' | 'success-envelope' | 'plain' | 'optional' | 'deletion' | 'any-list' | 'any';

/** The size of a page of a list. */
export interface PageSize {
  /** Items per page if the query names no number. */
  readonly default: number;
  /** Most items per page; absent if the service names no limit. */
  readonly largest?: number;
}

/** A file that travels as the only part of a multipart form. */
export interface FilePart {
  /** Name of the part. */
  readonly name: string;
  /** What messages call the file. */
  readonly label: string;
  /** File name of a source that has none. */
  readonly filename: string;
}

/**
 * One endpoint of the service, as plain data: the client, the fake, the local service, the tools and the README's
 * reference all read this value.
 */
export interface Endpoint<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Response = unknown,
  Wrapped extends Envelope = Envelope,
> {
  /** The method of the client that calls it, such as `validity.get`; absent if it has none. */
  readonly name?: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** HTTP method. */
  readonly method: Method;
  /** Path below the base address, with `{name}` for each parameter. */
  readonly path: string;
  /** Whether the request may be sent again after an ambiguous failure. */
  readonly retry: Retry;
  /** The least scope a key needs. */
  readonly scope: 'read-only' | 'read-write';
  /** The schemas of what a request sends. */
  readonly request: {
    /** The parameters of the path. */
    readonly params: Schema<Params>;
    /** The query parameters. */
    readonly query?: Schema<Query>;
    /** A JSON body. */
    readonly body?: Schema<Body>;
    /** A file instead of a JSON body. */
    readonly file?: FilePart;
  };
  /** How the body of a 2xx response wraps its value. */
  readonly envelope: Wrapped;
  /** What the value inside the envelope must be; for a list, one item. */
  readonly response: Description<Response> | Schema<Response>;
  /** The size of a page, if the endpoint has pages. */
  readonly pageSize?: PageSize;
  /** Query parameters, any of which selects this endpoint from those with the same method and path. */
  readonly selectedBy?: readonly string[];
  /** The error code that a status means here, whatever the body of the response says. */
  readonly errorCodes?: Readonly<Partial<Record<number, string>>>;
  /** Milliseconds that one attempt may take by default; absent if the client's default applies. */
  readonly timeout?: number;
}

/** Returns the description unchanged, with its types inferred. */
export function defineEndpoint<Params, Query, Body, Response, const Wrapped extends Envelope>(
  endpoint: Endpoint<Params, Query, Body, Response, Wrapped>,
): Endpoint<Params, Query, Body, Response, Wrapped> {
  return endpoint;
}
