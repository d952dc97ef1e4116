import { ApiError, apiBrand, type ApiErrorResponse } from './api-error.ts';
import { type CallDescription, processedAdvice } from './call-description.ts';

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
