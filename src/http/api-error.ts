import type { Endpoint } from '../contract/endpoint.ts';
import { errorEnvelopeSchema } from '../contract/envelope.ts';
import {
  ApiError,
  type ApiErrorAnswer,
  AssetNotFoundError,
  type CallDescription,
  ForbiddenError,
  FreshnessNotConfiguredError,
  InternalError,
  MetricNotFoundError,
  NotFoundError,
  type RateLimit,
  RateLimitedError,
  RuleNotFoundError,
  UnauthorizedError,
  ValidationError,
} from '../errors.ts';
import { check } from './check.ts';
import { redact, redactValue } from './redact.ts';
import { parseRetryAfter } from './retry-after.ts';
import type { Answer } from './transport.ts';

const excerptLength = 2048;

/** What an answer without an error envelope is called, by its status. */
const codeByStatus: Readonly<Record<number, string>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
};

/** Turns an answer that reports an error into the error to throw. */
export function toApiError(
  endpoint: Endpoint,
  answer: Answer,
  { call, key, rateLimit }: { call: CallDescription; key: string; rateLimit: RateLimit | undefined },
): ApiError {
  const envelope = readEnvelope(answer.text, key);
  const { status } = answer;
  const code = codeOf(endpoint, status, envelope.code);
  const message = envelope.message ?? (excerpt(redact(answer.text, key)) || 'the answer has no body');
  const common = { status, message, details: envelope.details ?? {}, rateLimit };
  return apiError(call, { ...common, code }, () => parseRetryAfter(answer.headers, Date.now()));
}

function codeOf(endpoint: Endpoint, status: number, given: string | undefined): string {
  // What such a status means is documented, its body is not; only a refused argument says so itself.
  const documented = endpoint.errorCodes?.[status];
  if (documented !== undefined && given !== 'VALIDATION_ERROR') return documented;
  return given ?? codeByStatus[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : `HTTP_${status}`);
}

/** Makes the error of a code; an unknown code falls to the class of its status, and stays in the message. */
export function apiError(
  call: CallDescription,
  answer: ApiErrorAnswer,
  retryAfterMs: () => number | undefined,
): ApiError {
  // What the interface names for each code is what the class declares; its fields are all optional.
  const as = <Code extends string, Details>(code: Code): ApiErrorAnswer<Code, Details> => ({
    ...answer,
    code,
    details: answer.details as Details,
  });
  const renamed = <Code extends string, Details>(code: Code): ApiErrorAnswer<Code, Details> => ({
    ...as<Code, Details>(code),
    message: `${answer.code}: ${answer.message}`,
  });
  const { status } = answer;
  switch (answer.code) {
    case 'ASSET_NOT_FOUND':
      return new AssetNotFoundError(call, as(answer.code));
    case 'RULE_NOT_FOUND':
      return new RuleNotFoundError(call, as(answer.code));
    case 'METRIC_NOT_FOUND':
      return new MetricNotFoundError(call, as(answer.code));
    case 'UNAUTHORIZED':
      return new UnauthorizedError(call, as(answer.code));
    case 'FORBIDDEN':
      return new ForbiddenError(call, as(answer.code));
    case 'VALIDATION_ERROR':
      return new ValidationError(call, as(answer.code));
    case 'FRESHNESS_NOT_CONFIGURED':
      return new FreshnessNotConfiguredError(call, as(answer.code));
    case 'RATE_LIMITED':
      return new RateLimitedError(call, as(answer.code), retryAfterMs());
    default:
      if (status === 401) return new UnauthorizedError(call, renamed('UNAUTHORIZED'));
      if (status === 403) return new ForbiddenError(call, renamed('FORBIDDEN'));
      if (status === 429) return new RateLimitedError(call, renamed('RATE_LIMITED'), retryAfterMs());
      if (status === 404) return new NotFoundError(call, answer);
      if (status >= 500) return new InternalError(call, answer, true);
      return new ApiError(call, answer);
  }
}

interface ErrorEnvelope {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly details?: unknown;
}

/** The part of an error envelope that can be understood: nothing of it is needed to report the status. */
function readEnvelope(text: string, key: string): ErrorEnvelope {
  let body: unknown;
  try {
    body = redactValue(JSON.parse(text), key);
  } catch {
    return {};
  }
  const checked = check(errorEnvelopeSchema, body);
  if ('issues' in checked) return {};
  const { error } = checked.value;
  if (typeof error === 'string') return { message: error };
  const details = typeof error.details === 'object' && error.details !== null ? error.details : undefined;
  return { code: error.code || undefined, message: error.message || undefined, details };
}

/** The beginning of a body, short enough for a message. */
export function excerpt(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > excerptLength ? `${trimmed.slice(0, excerptLength)}…` : trimmed;
}
