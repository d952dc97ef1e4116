/** Marks every error of this package, also those made by another copy of it (ESM beside CJS, two versions). */
const brand: unique symbol = Symbol.for('data-quality-client.error') as never;

/** Marks every answer of the service that reports an error, likewise. */
const apiBrand: unique symbol = Symbol.for('data-quality-client.api-error') as never;

/** The rate limit of the key as the service last announced it (interface: Limits, `X-RateLimit-*`). */
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

/** What is wrong with one value: where it stands and why it was refused. */
export interface Issue {
  /** Where the value stands, such as `['rule_config', 'pattern']`; empty for the whole value. */
  readonly path: readonly PropertyKey[];
  /** Why it was refused. */
  readonly message: string;
}

/** What every error of this package is: catch it to catch them all. */
export abstract class DataQualityError extends Error {
  abstract override readonly name: string;
  /** A constant that says what happened, such as `RULE_NOT_FOUND`; compare it instead of the message. */
  abstract readonly code: string;

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

  constructor(subject: string, issues: readonly Issue[], options?: ErrorOptions) {
    super(`${subject}: ${describeIssues(issues)}. Nothing was sent.`, options);
    this.issues = issues;
  }
}

/** What the service said when it refused a call. */
export interface ApiErrorAnswer<Code extends string = string, Details = unknown> {
  readonly status: number;
  readonly code: Code;
  /** The service's own message, or an excerpt of a body that is no error envelope. */
  readonly message: string;
  readonly details: Details;
  readonly rateLimit: RateLimit | undefined;
}

/**
 * The service answered with an error (interface: Errors).
 *
 * An answer that is no error envelope, such as the HTML page of a proxy, is an `ApiError` too, with a code
 * made from the status and a short excerpt of the body as its message.
 */
export class ApiError<Code extends string = string, Details = unknown> extends DataQualityError {
  override readonly name: string = 'ApiError';
  readonly code: Code;
  /** HTTP status of the answer. */
  readonly status: number;
  /** What the service added to its message; its fields depend on `code`. */
  readonly details: Details;
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** The rate limit announced with this answer, if it was. */
  readonly rateLimit: RateLimit | undefined;

  constructor(call: CallDescription, answer: ApiErrorAnswer<Code, Details>, advice?: string) {
    super(
      `${call.method} ${call.path} → ${answer.status} ${answer.code}: ${answer.message}${advice === undefined ? '' : ` (${advice})`}`,
    );
    this.code = answer.code;
    this.status = answer.status;
    this.details = answer.details;
    this.method = call.method;
    this.path = call.path;
    this.attempts = call.attempts;
    this.rateLimit = answer.rateLimit;
    // Not a computed member: bundlers keep a class that has one, even where nobody uses it.
    Object.defineProperty(this, apiBrand, { value: true });
  }
}

/** 401: the key is missing or invalid (interface: Authentication 4). */
export class UnauthorizedError extends ApiError<'UNAUTHORIZED'> {
  override readonly name = 'UnauthorizedError' as const;

  constructor(call: CallDescription, answer: ApiErrorAnswer<'UNAUTHORIZED'>) {
    super(call, answer, 'check the apiKey option or the environment variable DATA_QUALITY_API_KEY');
  }
}

/** What a `FORBIDDEN` answer carries (interface: Authentication 3). */
export interface ForbiddenDetails {
  readonly current_scope?: string;
  readonly required_scope?: string;
}

/** 403: the key is valid, its scope is too low (interface: Authentication 3). */
export class ForbiddenError extends ApiError<'FORBIDDEN', ForbiddenDetails> {
  override readonly name = 'ForbiddenError' as const;

  constructor(call: CallDescription, answer: ApiErrorAnswer<'FORBIDDEN', ForbiddenDetails>) {
    const { required_scope: required } = answer.details;
    super(call, answer, typeof required === 'string' ? `use a key with the scope ${required}` : undefined);
  }
}

/** 404: what was asked for does not exist, or is not accessible with this key. */
export class NotFoundError<Code extends string = string, Details = unknown> extends ApiError<Code, Details> {
  override readonly name: string = 'NotFoundError';
}

/** 404: the asset does not exist or is not accessible (interface: Errors). */
export class AssetNotFoundError extends NotFoundError<
  'ASSET_NOT_FOUND',
  { readonly asset_id?: string; readonly suggestion?: string }
> {
  override readonly name = 'AssetNotFoundError' as const;
}

/** 404: no validity rule has this id (interface: Validity, rule 2). */
export class RuleNotFoundError extends NotFoundError<'RULE_NOT_FOUND', { readonly rule_id?: string }> {
  override readonly name = 'RuleNotFoundError' as const;
}

/** 404: no metric has this id (interface: Metrics, rule 2). */
export class MetricNotFoundError extends NotFoundError<'METRIC_NOT_FOUND', { readonly metric_id?: string }> {
  override readonly name = 'MetricNotFoundError' as const;
}

/** What a `VALIDATION_ERROR` answer carries (interface: Errors). */
export interface ValidationDetails {
  /** The field that was refused, such as `rule_config.pattern`. */
  readonly field?: string;
  readonly error?: string;
  readonly metric_type?: string;
}

/** 400: the service refused the parameters of the request (interface: Errors). */
export class ValidationError extends ApiError<'VALIDATION_ERROR', ValidationDetails> {
  override readonly name = 'ValidationError' as const;

  constructor(call: CallDescription, answer: ApiErrorAnswer<'VALIDATION_ERROR', ValidationDetails>) {
    const { field } = answer.details;
    super(call, answer, typeof field === 'string' ? `see ${field}` : undefined);
  }
}

/** 422: no freshness threshold is configured for this asset (interface: Freshness, rule 1). */
export class FreshnessNotConfiguredError extends ApiError<'FRESHNESS_NOT_CONFIGURED'> {
  override readonly name = 'FreshnessNotConfiguredError' as const;
}

/** 429: too many requests, and no retry was left or the wait was too long (interface: Limits). */
export class RateLimitedError extends ApiError<'RATE_LIMITED'> {
  override readonly name = 'RateLimitedError' as const;
  /** How long the service asks to wait, in ms; `undefined` if it did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    call: CallDescription,
    answer: ApiErrorAnswer<'RATE_LIMITED'>,
    retryAfterMs: number | undefined,
  ) {
    super(call, answer, retryAfterMs === undefined ? undefined : `try again in ${retryAfterMs / 1000} s`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 5xx: the service failed, or something in front of it did (interface: Errors). */
export class InternalError extends ApiError {
  override readonly name = 'InternalError' as const;
  /** Whether the service may have done what the call asked for although it answered with an error. */
  readonly mayHaveBeenProcessed: boolean;

  constructor(call: CallDescription, answer: ApiErrorAnswer, mayHaveBeenProcessed: boolean) {
    super(call, answer, mayHaveBeenProcessed && call.method !== 'GET' ? processedAdvice : undefined);
    this.mayHaveBeenProcessed = mayHaveBeenProcessed;
  }
}

/** A call that ended without an answer of the service. */
abstract class UnansweredError extends DataQualityError {
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
      `${call.method} ${call.path} → ${message}${mayHaveBeenProcessed && call.method !== 'GET' ? ` (${processedAdvice})` : ''}`,
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
   * The system's code, such as `ECONNREFUSED`, `ENOTFOUND` or `ECONNRESET`; `REDIRECTED`, `BAD_PORT` for a port that
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
      `the connection to ${failure.host} failed: ${failure.code}: ${failure.reason}`,
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
    super(
      call,
      `not done within ${limit.option}: ${limit.timeoutMs} ms, after ${call.attempts} ${call.attempts === 1 ? 'attempt' : 'attempts'}`,
      mayHaveBeenProcessed,
      options,
    );
    this.option = limit.option;
    this.timeoutMs = limit.timeoutMs;
  }
}

/** The caller's signal ended the call; `cause` is the reason of the signal. */
export class AbortError extends UnansweredError {
  override readonly name = 'AbortError' as const;
  readonly code = 'ABORTED' as const;

  constructor(call: CallDescription, mayHaveBeenProcessed: boolean, reason: unknown) {
    super(call, 'aborted by its signal', mayHaveBeenProcessed, { cause: reason });
  }
}

/** A 2xx answer that is not what the interface promises: no JSON, or fields of another kind. */
export class ResponseValidationError extends DataQualityError {
  override readonly name = 'ResponseValidationError' as const;
  readonly code = 'INVALID_RESPONSE' as const;
  readonly status: number;
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Each value that is not as promised. */
  readonly issues: readonly Issue[];
  /** The body: parsed where it is JSON, else an excerpt of its text. */
  readonly body: unknown;

  constructor(
    call: CallDescription,
    answer: { readonly status: number; readonly issues: readonly Issue[]; readonly body: unknown },
    options?: ErrorOptions,
  ) {
    super(
      `${call.method} ${call.path} → ${answer.status}, but not the answer the interface promises: ${describeIssues(answer.issues)} (responseValidation: 'warn' lets such JSON through)`,
      options,
    );
    this.status = answer.status;
    this.method = call.method;
    this.path = call.path;
    this.attempts = call.attempts;
    this.issues = answer.issues;
    this.body = answer.body;
  }
}

const processedAdvice = 'the service may have acted on it: look before you send it again';

function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ');
}

/** The error class of each code the interface names, for `isApiError`. */
export interface ApiErrorByCode {
  readonly ASSET_NOT_FOUND: AssetNotFoundError;
  readonly RULE_NOT_FOUND: RuleNotFoundError;
  readonly METRIC_NOT_FOUND: MetricNotFoundError;
  readonly UNAUTHORIZED: UnauthorizedError;
  readonly FORBIDDEN: ForbiddenError;
  readonly VALIDATION_ERROR: ValidationError;
  readonly FRESHNESS_NOT_CONFIGURED: FreshnessNotConfiguredError;
  readonly RATE_LIMITED: RateLimitedError;
  readonly INTERNAL_ERROR: InternalError;
}

/** The codes the interface names (interface: Errors), and the one we give to the 422 of the freshness endpoint. */
export type ApiErrorCode = keyof ApiErrorByCode;

/**
 * Whether a caught value is an error of this package, made by this copy of it or by another one.
 */
export function isDataQualityError(error: unknown): error is DataQualityError {
  return typeof error === 'object' && error !== null && brand in error;
}

/**
 * Whether a caught value is an answer of the service that reports an error, and, if a code is given, this one.
 * Works across copies of the package, where `instanceof` does not.
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
