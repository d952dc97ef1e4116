import * as z from 'zod/mini';

import type { Endpoint, Envelope, Schema } from '../contract/endpoint.ts';
import type { Pagination } from '../contract/envelope.ts';
import { paginationSchema } from '../contract/envelope.ts';
import { type CallDescription, type Issue, type RateLimit, ResponseValidationError } from '../errors.ts';
import { apiError, excerpt, toApiError } from './api-error.ts';
import { check } from './check.ts';
import { redact, redactValue } from './redact.ts';
import type { Settings } from './settings.ts';
import type { Answer } from './transport.ts';

/** What a list endpoint answers, freed of its envelope. */
export interface ListValue<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

/** What a decoder needs besides the answer. */
export interface DecodeContext {
  readonly call: CallDescription;
  readonly key: string;
  readonly rateLimit: RateLimit | undefined;
  readonly settings: Pick<Settings, 'responseValidation' | 'log'>;
}

/** Takes the value out of an answer, or throws the `ApiError` or `ResponseValidationError` it amounts to. */
export function decode(endpoint: Endpoint, answer: Answer, context: DecodeContext): unknown {
  if (answer.status < 200 || answer.status > 299) {
    throw toApiError(endpoint, answer, context);
  }
  const body = parseBody(endpoint, answer, context);
  const reject = (issues: readonly Issue[]): ResponseValidationError =>
    invalid(answer, context, issues, body);
  const validate = (
    value: unknown,
    schema: Schema = endpoint.response,
    prefix: readonly PropertyKey[] = [],
  ): unknown => {
    if (context.settings.responseValidation === 'off') return value;
    const checked = check(schema, value);
    if ('value' in checked) return checked.value;
    const error = reject(
      checked.issues.map(({ path, message }) => ({ path: [...prefix, ...path], message })),
    );
    if (context.settings.responseValidation === 'throw') throw error;
    context.settings.log.warn?.(error.message);
    return value;
  };

  switch (endpoint.envelope) {
    case 'object':
      if (!isObject(body) || body['data'] === undefined) throw reject([missing('data')]);
      return validate(body['data'], endpoint.response, ['data']);
    case 'list':
      return decodeList(body, validate, reject, endpoint.response);
    case 'success':
      throwIfUnsuccessful(body, answer, context);
      return validate(isObject(body) && 'data' in body ? body['data'] : body);
    case 'success-envelope':
      throwIfUnsuccessful(body, answer, context);
      return validate(body);
    case 'plain':
    case 'optional': {
      const value = unwrap(body);
      return validate(isObject(value) ? value : {});
    }
    case 'any':
      return validate(unwrap(body));
    case 'deletion': {
      const value = unwrap(body);
      return validate(isObject(value) ? { ...value, success: value['success'] ?? true } : { success: true });
    }
  }
}

/** The page in `{ data: { items }, pagination }` or `{ data: [ ], pagination }`. */
function decodeList(
  body: unknown,
  validate: (value: unknown, schema: Schema, prefix: readonly PropertyKey[]) => unknown,
  reject: (issues: readonly Issue[]) => ResponseValidationError,
  itemSchema: Schema,
): ListValue<unknown> {
  const data = isObject(body) ? body['data'] : undefined;
  const items: unknown = isObject(data) ? data['items'] : data;
  if (!isObject(body) || !Array.isArray(items)) throw reject([missing('data.items')]);
  return {
    // The schema of all items at once, as checking each by itself costs more than the check.
    items: validate(items, listOf(itemSchema), ['data', 'items']) as readonly unknown[],
    pagination: validate(body['pagination'] ?? {}, paginationSchema, ['pagination']) as Pagination,
  };
}

const lists = new WeakMap<Schema, Schema<unknown[]>>();

function listOf(itemSchema: Schema): Schema<unknown[]> {
  const known = lists.get(itemSchema) ?? z.array(itemSchema);
  lists.set(itemSchema, known);
  return known;
}

/** The freshness envelope can report an error in a 2xx answer (interface: Common envelopes). */
function throwIfUnsuccessful(body: unknown, answer: Answer, context: DecodeContext): void {
  if (!isObject(body) || body['success'] !== false) return;
  const shown = redactValue(body['error'], context.key);
  const error = isObject(shown) ? shown : { message: shown };
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? redact(value, context.key) : undefined;
  const reported = {
    status: answer.status,
    code: text(error['code']) ?? 'UNSUCCESSFUL',
    message: text(error['message']) ?? text(body['message']) ?? 'the service reports no success',
    details: isObject(error['details']) ? error['details'] : {},
    rateLimit: context.rateLimit,
  };
  throw apiError(context.call, reported, () => undefined);
}

const mayBeEmpty: ReadonlySet<Envelope> = new Set(['plain', 'optional', 'deletion', 'any']);

function parseBody(endpoint: Endpoint, answer: Answer, context: DecodeContext): unknown {
  if (mayBeEmpty.has(endpoint.envelope) && answer.text.trim() === '') return undefined;
  try {
    return JSON.parse(answer.text);
  } catch {
    const type = answer.headers.get('content-type') ?? 'no content type';
    const text = excerpt(redact(answer.text, context.key));
    const message =
      answer.text === '' ? 'the body is empty' : `the body is no JSON (${type}): ${text.slice(0, 200)}`;
    throw invalid(answer, context, [{ path: [], message }], text);
  }
}

function invalid(
  answer: Answer,
  context: DecodeContext,
  issues: readonly Issue[],
  body: unknown,
): ResponseValidationError {
  const shown = redactValue(body, context.key);
  return new ResponseValidationError(context.call, { status: answer.status, issues, body: shown });
}

/** `data` where the body has it, else the body itself. */
function unwrap(body: unknown): unknown {
  return isObject(body) && 'data' in body ? body['data'] : body;
}

function missing(path: string): Issue {
  return { path: path.split('.'), message: 'is missing' };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
