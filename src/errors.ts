// Errors of a call that a user can catch, whatever room throws them.

import { describeIssues, type Issue } from './contract/issue.ts';

/** Marks every error of this package, also those made by another copy of it (ESM beside CJS, two versions). */
const brand: unique symbol = Symbol.for('data-quality-client.error') as never;

/** Marks every error that the service reported, also those made by another copy of this package. */
const apiBrand: unique symbol = /* @__PURE__ */ Symbol.for('data-quality-client.api-error') as never;

/** The rate limit of the key as the service last announced it in its `X-RateLimit-*` headers. */
export interface RateLimit {
  /** Requests allowed in the current window. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window ends and `remaining` is full again. */
  readonly resetAt: Date;
}

/** The call an error belongs to. */
export interface CallDescription {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path of the request without its query, such as `/api/v1/sdk/validity/<asset_id>`. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Whether the service may have acted on an earlier attempt, which no later one can take back. */
  readonly maybeProcessedBefore?: boolean;
}

/** What every error of this package is: catch it to catch them all. */
export abstract class DataQualityError extends Error {
  /** The name of the class; it survives minification. */
  abstract override readonly name: string;
  /** A constant that says what happened, such as `RULE_NOT_FOUND`; compare it instead of the message. */
  abstract readonly code: string;

  /** Returns the error as plain JSON, for logs: `name`, `code`, `message` and the fields of its class. */
  toJSON(): object {
    return Object.assign({}, this, { message: this.message });
  }

  /** @internal */
  get [brand](): boolean {
    return true;
  }
}

/** The options of the client can't be used; thrown by the constructor, before any request. */
export class ConfigurationError extends DataQualityError {
  override readonly name = 'ConfigurationError' as const;
  readonly code = 'CONFIGURATION' as const;
}

/** The arguments of a call can't be sent (an empty id, `limit: 0`, a missing file); thrown before any request. */
export class InvalidRequestError extends DataQualityError {
  override readonly name = 'InvalidRequestError' as const;
  readonly code = 'INVALID_REQUEST' as const;
  /** Each value that was refused. */
  readonly issues: readonly Issue[];
  /** Always `false`: the service has nothing that it could act on. */
  readonly mayHaveBeenProcessed = false as const;

  constructor(
    subject: string,
    issues: readonly Issue[],
    { isList = false, ...options }: ErrorOptions & { readonly isList?: boolean } = {},
  ) {
    const separator = isList && issues.length > 1 ? '\n  ' : undefined;
    super(`${subject}:${separator ?? ' '}${describeIssues(issues, 20, separator)}`, options);
    this.issues = issues;
  }
}

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

/** 401: the key is missing or invalid. */
export class UnauthorizedError extends ApiError<'UNAUTHORIZED'> {
  override readonly name = 'UnauthorizedError' as const;

  constructor(call: CallDescription, response: ApiErrorResponse<'UNAUTHORIZED'>) {
    super(call, response, 'Check the apiKey option or the environment variable DATA_QUALITY_API_KEY.');
  }
}

/** The details of a `FORBIDDEN` error. */
export interface ForbiddenDetails {
  /** The scope of the key. */
  readonly current_scope?: string;
  /** The scope that the call needs. */
  readonly required_scope?: string;
}

/** 403: the key is valid, its scope is too low. */
export class ForbiddenError extends ApiError<'FORBIDDEN', ForbiddenDetails> {
  override readonly name = 'ForbiddenError' as const;

  constructor(call: CallDescription, response: ApiErrorResponse<'FORBIDDEN', ForbiddenDetails>) {
    const { required_scope: required } = response.details;
    super(call, response, typeof required === 'string' ? `Use a key with the scope ${required}.` : undefined);
  }
}

/** 404: what was asked for does not exist, or is not accessible with this key. */
export class NotFoundError<Code extends string = string, Details = unknown> extends ApiError<Code, Details> {
  override readonly name: string = 'NotFoundError';
}

/** 404: the asset does not exist or is not accessible. */
export class AssetNotFoundError extends NotFoundError<
  'ASSET_NOT_FOUND',
  { readonly asset_id?: string; readonly suggestion?: string }
> {
  override readonly name = 'AssetNotFoundError' as const;
}

/** 404: no validity rule has this id. */
export class RuleNotFoundError extends NotFoundError<'RULE_NOT_FOUND', { readonly rule_id?: string }> {
  override readonly name = 'RuleNotFoundError' as const;
}

/** 404: no metric has this id. */
export class MetricNotFoundError extends NotFoundError<'METRIC_NOT_FOUND', { readonly metric_id?: string }> {
  override readonly name = 'MetricNotFoundError' as const;
}

/** The details of a `VALIDATION_ERROR`. */
export interface ValidationDetails {
  /** The field that was refused, such as `rule_config.pattern`. */
  readonly field?: string;
  /** Why it was refused. */
  readonly error?: string;
  /** The type of the metric that was refused. */
  readonly metric_type?: string;
}

/** 400: the service refused the parameters of the request. */
export class ValidationError extends ApiError<'VALIDATION_ERROR', ValidationDetails> {
  override readonly name = 'ValidationError' as const;

  constructor(call: CallDescription, response: ApiErrorResponse<'VALIDATION_ERROR', ValidationDetails>) {
    const { field } = response.details;
    super(call, response, typeof field === 'string' ? `See ${field}.` : undefined);
  }
}

/** 422: no freshness threshold is configured for this asset. */
export class FreshnessNotConfiguredError extends ApiError<'FRESHNESS_NOT_CONFIGURED'> {
  override readonly name = 'FreshnessNotConfiguredError' as const;
}

/** 429: too many requests, and no retry was left or the wait was too long. */
export class RateLimitedError extends ApiError<'RATE_LIMITED'> {
  override readonly name = 'RateLimitedError' as const;

  constructor(call: CallDescription, response: ApiErrorResponse<'RATE_LIMITED'>) {
    const { retryAfterMs } = response;
    super(call, response, retryAfterMs === undefined ? undefined : `Try again in ${retryAfterMs / 1000} s.`);
  }
}

/** 5xx: the service failed, or something in front of it did. */
export class InternalError extends ApiError {
  override readonly name = 'InternalError' as const;
  /** Always `true`: the service may have done what the call asked for although it responded with an error. */
  readonly mayHaveBeenProcessed = true as const;

  constructor(call: CallDescription, response: ApiErrorResponse) {
    super(call, response, processedAdvice(call, true));
  }
}

/** A call that ended without a response that can be used. */
abstract class UnansweredError extends DataQualityError {
  /** HTTP method of the request. */
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Whether the service may have done what the call asked for; `false` means that it surely did not. */
  readonly mayHaveBeenProcessed: boolean;

  constructor(call: CallDescription, message: string, maybeProcessedNow: boolean, options?: ErrorOptions) {
    const mayHaveBeenProcessed = maybeProcessedNow || call.maybeProcessedBefore === true;
    super(
      withAdvice(`${call.method} ${call.path} ${message}`, processedAdvice(call, mayHaveBeenProcessed)),
      options,
    );
    this.method = call.method;
    this.path = call.path;
    this.attempts = call.attempts;
    this.mayHaveBeenProcessed = mayHaveBeenProcessed;
  }
}

/** The connection failed: host unknown or refused, reset, certificate, redirect; see `code` and `cause`. */
export class ConnectionError extends UnansweredError {
  override readonly name = 'ConnectionError' as const;
  /**
   * The system's code, such as `ECONNREFUSED`, `ENOTFOUND` or `ECONNRESET`; `REDIRECTED`; `BAD_PORT` for a port that
   * `fetch` refuses; else `CONNECTION_FAILED`.
   */
  readonly code: string;
  /** Host and port that were called. */
  readonly host: string;

  constructor(
    call: CallDescription,
    failure: {
      readonly code: string;
      readonly host: string;
      readonly reason: string;
      readonly mayHaveBeenProcessed: boolean;
    },
    options?: ErrorOptions,
  ) {
    super(
      call,
      `failed: ${failure.code} on the connection to ${failure.host}: ${failure.reason}`,
      failure.mayHaveBeenProcessed,
      options,
    );
    this.code = failure.code;
    this.host = failure.host;
  }
}

/** Time was up: that of one attempt (`timeout`) or that of the whole call (`totalTimeout`). */
export class TimeoutError extends UnansweredError {
  override readonly name = 'TimeoutError' as const;
  readonly code = 'TIMEOUT' as const;
  /** Which option ended the call. */
  readonly option: 'timeout' | 'totalTimeout';
  /** The value of that option, in ms. */
  readonly timeoutMs: number;

  constructor(
    call: CallDescription,
    limit: { readonly option: 'timeout' | 'totalTimeout'; readonly timeoutMs: number },
    mayHaveBeenProcessed: boolean,
    options?: ErrorOptions,
  ) {
    const { option, timeoutMs } = limit;
    const which = option === 'timeout' ? '' : ' in total';
    super(call, `timed out after ${timeoutMs} ms${which} (${attempts(call)})`, mayHaveBeenProcessed, options);
    this.option = option;
    this.timeoutMs = timeoutMs;
  }
}

/** The caller's signal ended the call; `cause` is the reason of the signal. */
export class AbortError extends UnansweredError {
  override readonly name = 'AbortError' as const;
  readonly code = 'ABORTED' as const;

  constructor(call: CallDescription, mayHaveBeenProcessed: boolean, reason: unknown) {
    super(call, `was aborted by its signal (${attempts(call)})`, mayHaveBeenProcessed, { cause: reason });
  }
}

/**
 * A 2xx response whose body can't be used: it is not JSON, has fields of another type, is larger than
 * `maxResponseSize`, or is a list that contradicts itself.
 */
export class ResponseValidationError extends UnansweredError {
  override readonly name = 'ResponseValidationError' as const;
  readonly code = 'INVALID_RESPONSE' as const;
  /** HTTP status of the response. */
  readonly status: number;
  /** Everything that is wrong with the body; the message names the first three. */
  readonly issues: readonly Issue[];
  /** The body: parsed if it is JSON, else an excerpt of its text. */
  readonly body: unknown;

  constructor(
    call: CallDescription,
    response: { readonly status: number; readonly issues: readonly Issue[]; readonly body: unknown },
    options?: ErrorOptions,
  ) {
    const { status, issues, body } = response;
    super(call, `returned ${status} with an unexpected body: ${describeIssues(issues, 3)}`, true, options);
    this.status = status;
    this.issues = issues;
    this.body = body;
  }

  override toJSON(): object {
    return { ...super.toJSON(), body: undefined };
  }
}

/** What the message of an error advises if the service may have acted on the call; reading twice does no harm. */
function processedAdvice({ method }: CallDescription, mayHaveBeenProcessed: boolean): string | undefined {
  return mayHaveBeenProcessed && method !== 'GET'
    ? 'The request may have been processed; check before retrying.'
    : undefined;
}

function withAdvice(message: string, advice: string | undefined): string {
  return advice === undefined ? message : `${message.replace(/\.$/, '')}. ${advice}`;
}

function attempts(call: CallDescription): string {
  return `${call.attempts} ${call.attempts === 1 ? 'attempt' : 'attempts'}`;
}

/** The error class of each documented code, for `isApiError`. */
export interface ApiErrorByCode {
  /** 404: the asset does not exist or is not accessible. */
  readonly ASSET_NOT_FOUND: AssetNotFoundError;
  /** 404: no validity rule has this id. */
  readonly RULE_NOT_FOUND: RuleNotFoundError;
  /** 404: no metric has this id. */
  readonly METRIC_NOT_FOUND: MetricNotFoundError;
  /** 401: the key is missing or invalid. */
  readonly UNAUTHORIZED: UnauthorizedError;
  /** 403: the scope of the key is too low. */
  readonly FORBIDDEN: ForbiddenError;
  /** 400: the service refused the parameters of the request. */
  readonly VALIDATION_ERROR: ValidationError;
  /** 422: no freshness threshold is configured for the asset. */
  readonly FRESHNESS_NOT_CONFIGURED: FreshnessNotConfiguredError;
  /** 429: too many requests. */
  readonly RATE_LIMITED: RateLimitedError;
  /** 5xx: the service failed, or something in front of it did. */
  readonly INTERNAL_ERROR: InternalError;
}

/** The documented codes, and the one given to the 422 of the freshness endpoint. */
export type ApiErrorCode = keyof ApiErrorByCode;

/**
 * The class of each documented code but that of the 5xx, which the status decides. The details of a code are what its
 * class declares, and all of their fields are optional, hence the wider type.
 *
 * @internal
 */
export const apiErrorClasses = {
  ASSET_NOT_FOUND: AssetNotFoundError,
  RULE_NOT_FOUND: RuleNotFoundError,
  METRIC_NOT_FOUND: MetricNotFoundError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  VALIDATION_ERROR: ValidationError,
  FRESHNESS_NOT_CONFIGURED: FreshnessNotConfiguredError,
  RATE_LIMITED: RateLimitedError,
} as Readonly<
  Record<
    Exclude<ApiErrorCode, 'INTERNAL_ERROR'>,
    new (call: CallDescription, response: ApiErrorResponse) => ApiError
  >
>;

/**
 * Whether a caught value is an error of this package, made by this copy of it or by another one.
 */
export function isDataQualityError(error: unknown): error is DataQualityError {
  return typeof error === 'object' && error !== null && brand in error;
}

/**
 * Whether a caught value is an error that the service reported, and, if a code is given, this one.
 * Works across copies of the package, unlike `instanceof`.
 *
 * @example
 * try {
 *   await client.validity.get(assetId, ruleId);
 * } catch (error) {
 *   if (isApiError(error, 'RULE_NOT_FOUND')) console.log('gone:', error.details.rule_id);
 *   else throw error;
 * }
 */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Code extends ApiErrorCode>(
  error: unknown,
  code: Code,
): error is ApiErrorByCode[Code];
export function isApiError(error: unknown, code: string): error is ApiError;
export function isApiError(error: unknown, code?: string): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    apiBrand in error &&
    (code === undefined || ('code' in error && error.code === code))
  );
}
