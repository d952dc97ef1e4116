import type { Endpoint } from '../contract/endpoint.ts';
import { ApiError, type ApiErrorResponse } from '../errors/api-error.ts';
import type { CallDescription } from '../errors/call-description.ts';
import { apiErrorClasses, InternalError, NotFoundError } from '../errors/documented-errors.ts';
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
  const { status, code, message } = response;
  if (isDocumented(code)) return new apiErrorClasses[code](call, response);
  const known = codeByStatus[status];
  if (status !== 400 && known !== undefined && isDocumented(known)) {
    return new apiErrorClasses[known](call, { ...response, code: known, message: `${code}: ${message}` });
  }
  if (status === 404) return new NotFoundError(call, response);
  return status >= 500 ? new InternalError(call, response) : new ApiError(call, response);
}

function isDocumented(code: string): code is keyof typeof apiErrorClasses {
  return Object.hasOwn(apiErrorClasses, code);
}
