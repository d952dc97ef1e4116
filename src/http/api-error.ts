import type { Endpoint } from '../contract/endpoint.ts';
import {
  ApiError,
  type ApiErrorResponse,
  AssetNotFoundError,
  type CallDescription,
  ForbiddenError,
  FreshnessNotConfiguredError,
  InternalError,
  MetricNotFoundError,
  NotFoundError,
  RateLimitedError,
  RuleNotFoundError,
  UnauthorizedError,
  ValidationError,
} from '../errors.ts';
import { readErrorBody } from './error-body.ts';
import { requestIdOf } from './headers.ts';
import { excerpt } from './json.ts';
import type { RawResponse } from './transport.ts';

/** The code of a response that names none, by its status. */
const codeByStatus: Readonly<Record<number, string>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
};

/** Makes the error of a response that reports one, from the response without the key. */
export function toApiError(
  endpoint: Endpoint,
  call: CallDescription,
  response: RawResponse,
  { rateLimit, retryAfterMs }: Pick<ApiErrorResponse, 'rateLimit' | 'retryAfterMs'>,
): ApiError {
  const { status, headers, text } = response;
  const body = readErrorBody(text);
  return errorOf(call, {
    status,
    code: codeOf(endpoint, status, body.code, body.field),
    message: body.message ?? unnamed(status, text),
    details: body.details ?? (body.field === undefined ? {} : { field: body.field }),
    headers,
    requestId: requestIdOf(headers),
    rateLimit,
    retryAfterMs,
  });
}

function unnamed(status: number, text: string): string {
  return status < 300
    ? 'the response says that the call failed'
    : excerpt(text) || 'the response has no body';
}

function codeOf(
  endpoint: Endpoint,
  status: number,
  given: string | undefined,
  field: string | undefined,
): string {
  // A body that names a field refuses an argument, whatever the status means otherwise.
  if (status === 422 && field !== undefined) return given ?? 'VALIDATION_ERROR';
  const fallback = status >= 500 ? 'INTERNAL_ERROR' : status < 300 ? 'UNSUCCESSFUL' : `HTTP_${status}`;
  return endpoint.errorCodes?.[status] ?? given ?? codeByStatus[status] ?? fallback;
}

/** Makes the error of a code; an unknown code becomes the class of its status, and stays in the message. */
function errorOf(call: CallDescription, response: ApiErrorResponse): ApiError {
  // The documented details of a code are what its class declares; all of their fields are optional.
  const as = <Code extends string, Details>(code: Code): ApiErrorResponse<Code, Details> => ({
    ...response,
    code,
    details: response.details as Details,
  });
  const renamed = <Code extends string, Details>(code: Code): ApiErrorResponse<Code, Details> => ({
    ...as<Code, Details>(code),
    message: `${response.code}: ${response.message}`,
  });
  const { status } = response;
  switch (response.code) {
    case 'ASSET_NOT_FOUND':
      return new AssetNotFoundError(call, as(response.code));
    case 'RULE_NOT_FOUND':
      return new RuleNotFoundError(call, as(response.code));
    case 'METRIC_NOT_FOUND':
      return new MetricNotFoundError(call, as(response.code));
    case 'UNAUTHORIZED':
      return new UnauthorizedError(call, as(response.code));
    case 'FORBIDDEN':
      return new ForbiddenError(call, as(response.code));
    case 'VALIDATION_ERROR':
      return new ValidationError(call, as(response.code));
    case 'FRESHNESS_NOT_CONFIGURED':
      return new FreshnessNotConfiguredError(call, as(response.code));
    case 'RATE_LIMITED':
      return new RateLimitedError(call, as(response.code));
    default:
      if (status === 401) return new UnauthorizedError(call, renamed('UNAUTHORIZED'));
      if (status === 403) return new ForbiddenError(call, renamed('FORBIDDEN'));
      if (status === 429) return new RateLimitedError(call, renamed('RATE_LIMITED'));
      if (status === 404) return new NotFoundError(call, response);
      if (status >= 500) return new InternalError(call, response);
      return new ApiError(call, response);
  }
}
