import { type CallDescription, withAdvice } from './call-description.ts';
import { DataQualityError } from './data-quality-error.ts';
import type { RateLimit } from './rate-limit.ts';

/** Marks every error that the service reported, also those made by another copy of this package. */
export const apiBrand: unique symbol = /* @__PURE__ */ Symbol.for('data-quality-client.api-error') as never;

/** What the service responded when it refused a call. */
export interface ApiErrorResponse<Code extends string = string, Details = unknown> {
  /** HTTP status. */
  readonly status: number;
  /** What happened, for programs. */
  readonly code: Code;
  /** What happened, for people: the service's own message, or an excerpt of a body that has none. */
  readonly message: string;
  /** What the service added; its fields depend on `code`. */
  readonly details: Details;
  /** The headers of the response. */
  readonly headers: Headers;
  /** The id that the service gave the request, if it named one. */
  readonly requestId: string | undefined;
  /** The rate limit announced with the response, if it was. */
  readonly rateLimit: RateLimit | undefined;
  /** How long the service asks to wait before the next request, in ms; `undefined` if it did not say. */
  readonly retryAfterMs: number | undefined;
}

/**
 * The service responded with an error.
 *
 * A response without an error envelope, such as the HTML page of a proxy, is an `ApiError` too, with a code
 * made from the status and a short excerpt of the body as its message.
 */
export class ApiError<Code extends string = string, Details = unknown> extends DataQualityError {
  override readonly name: string = 'ApiError';
  readonly code: Code;
  /** HTTP status of the response; a 2xx if its body says that the call failed. */
  readonly status: number;
  /** What the service added to its message; its fields depend on `code`. */
  readonly details: Details;
  /** HTTP method of the request. */
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** The headers of the response. */
  readonly headers: Headers;
  /** The id that the service gave the request, if it named one in a header such as `X-Request-Id`. */
  readonly requestId: string | undefined;
  /** The rate limit announced with this response, if it was. */
  readonly rateLimit: RateLimit | undefined;
  /** How long the service asks to wait before the next request, in ms; `undefined` if it did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(call: CallDescription, response: ApiErrorResponse<Code, Details>, advice?: string) {
    const { status, code, message } = response;
    super(withAdvice(`${call.method} ${call.path} → ${status} ${code}: ${message}`, advice));
    this.code = code;
    this.status = status;
    this.details = response.details;
    this.method = call.method;
    this.path = call.path;
    this.attempts = call.attempts;
    this.headers = response.headers;
    this.requestId = response.requestId;
    this.rateLimit = response.rateLimit;
    this.retryAfterMs = response.retryAfterMs;
    // Not a computed member: bundlers keep a class that has one, even if nobody uses it.
    Object.defineProperty(this, apiBrand, { value: true });
  }

  override toJSON(): object {
    return { ...super.toJSON(), headers: undefined };
  }
}
