import { check } from '../contract/check.ts';
import { findListMismatches, findMismatches } from '../contract/description.ts';
import type { Endpoint, Envelope } from '../contract/endpoint.ts';
import { type Pagination, paginationFields } from '../contract/envelope.ts';
import type { Issue } from '../contract/issue.ts';
import type { CallDescription } from '../errors/call-description.ts';
import { ResponseValidationError } from '../errors/no-result-errors.ts';
import { keysOf } from './item-key.ts';
import { excerpt, isObject, parseJson } from './json.ts';
import type { RawResponse } from './transport.ts';

/** A page of a list, without its envelope. */
export interface ListValue<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
  /** What identifies the items; `undefined` for one that nothing does. */
  readonly keys: readonly unknown[];
}

/**
 * What a response amounts to: a value, possibly with issues that validation found in it; nothing that can be used; or
 * a status or a body that says the call failed.
 */
export type Decoded =
  | { readonly outcome: 'value'; readonly value: unknown; readonly issues: readonly Issue[] }
  | { readonly outcome: 'unusable'; readonly issues: readonly Issue[] }
  | { readonly outcome: 'failed' };

/** Where a value is in a body. */
interface Found {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/** Where a list is in a body. */
interface FoundList extends Found {
  readonly value: readonly unknown[];
}

/** Takes the value of a response out of its envelope. */
export function decode(endpoint: Endpoint, response: RawResponse, validates: boolean): Decoded {
  if (response.status < 200 || response.status > 299) return { outcome: 'failed' };
  const { envelope } = endpoint;
  const parsed = parseBody(envelope, response);
  if ('issues' in parsed) return { outcome: 'unusable', issues: parsed.issues };
  const body = parsed.value;
  if (saysFailed(envelope, body)) return { outcome: 'failed' };

  if (envelope === 'list' || envelope === 'any-list') {
    const found = envelope === 'list' ? findItems(body) : findArray(body);
    if (found === undefined) return unusable(['data', 'items'], 'is missing');
    return decodePage(endpoint.response, found, body, response.text, validates);
  }
  const found = readers[envelope](body);
  if (found === undefined) return unusable(['data'], 'is missing');
  return { outcome: 'value', ...(validates ? validate(endpoint.response, found) : unchecked(found)) };
}

/** Makes the error of a 2xx response that can't be used, from the response without the key. */
export function invalidResponse(
  call: CallDescription,
  response: RawResponse,
  issues: readonly Issue[],
): ResponseValidationError {
  const parsed = response.isTruncated ? { value: undefined } : parseJson(response.text);
  const body = parsed === undefined ? excerpt(response.text) : parsed.value;
  return new ResponseValidationError(call, { status: response.status, issues, body });
}

/** A value with the issues that validation found in it. */
type Validated = Omit<Extract<Decoded, { outcome: 'value' }>, 'outcome'>;

/** Checks a value against what describes it; returns what a schema made of it, or the value as it came. */
function validate(expected: Endpoint['response'], { value, path }: Found): Validated {
  if (!('_zod' in expected)) return { value, issues: below(path, findMismatches(expected, value)) };
  const checked = check(expected, value);
  return 'value' in checked ? { ...checked, issues: [] } : { value, issues: below(path, checked.issues) };
}

/** Checks each item of a list against what describes it. */
function validateItems(expected: Endpoint['response'], found: FoundList): Validated {
  const { value, path } = found;
  if (!('_zod' in expected)) return { value, issues: below(path, findListMismatches(expected, value)) };
  const items = value.map((item, index) => validate(expected, { value: item, path: [...path, index] }));
  return { value: items.map((item) => item.value), issues: items.flatMap((item) => item.issues) };
}

function unchecked({ value }: Found): Validated {
  return { value, issues: [] };
}

function below(path: readonly PropertyKey[], issues: readonly Issue[]): readonly Issue[] {
  return issues.map((issue) => ({ path: [...path, ...issue.path], message: issue.message }));
}

function unusable(path: readonly PropertyKey[], message: string): Decoded {
  return { outcome: 'unusable', issues: [{ path, message }] };
}

const readers: Readonly<
  Record<Exclude<Envelope, 'list' | 'any-list'>, (body: unknown) => Found | undefined>
> = {
  object: (body) =>
    isObject(body) && body['data'] !== undefined ? { value: body['data'], path: ['data'] } : undefined,
  success: withMessage,
  'success-envelope': whole,
  plain: objectOrEmpty,
  optional: objectOrEmpty,
  deletion(body) {
    const { value, path } = objectOrEmpty(body);
    return { value: { ...value, success: value['success'] ?? true }, path };
  },
  any: unwrap,
};

function whole(body: unknown): Found {
  return { value: body, path: [] };
}

function unwrap(body: unknown): Found {
  return isObject(body) && 'data' in body ? { value: body['data'], path: ['data'] } : whole(body);
}

/** Adds what the service says in the envelope, as it may be the only reason of a status. */
function withMessage(body: unknown): Found {
  const found = unwrap(body);
  if (!isObject(body) || !isObject(found.value)) return found;
  const { message } = body;
  if (typeof message !== 'string' || message === '') return found;
  return { ...found, value: { message, ...found.value } };
}

function objectOrEmpty(body: unknown): Found & { readonly value: Record<string, unknown> } {
  const { value, path } = unwrap(body);
  return { value: isObject(value) ? value : {}, path };
}

/** The items in `{ data: { items } }`, `{ data: [ ] }` or a bare array. */
function findItems(body: unknown): FoundList | undefined {
  const { value, path } = unwrap(body);
  if (Array.isArray(value)) return { value, path };
  const items = isObject(value) ? value['items'] : undefined;
  return Array.isArray(items) ? { value: items, path: [...path, 'items'] } : undefined;
}

/** The items of a list that this package does not know: if they have no usual place, the one array that there is. */
function findArray(body: unknown): FoundList | undefined {
  const usual = findItems(body);
  if (usual !== undefined) return usual;
  const { value, path } = unwrap(body);
  const lists = Object.entries(isObject(value) ? value : {}).flatMap(([name, inner]) =>
    Array.isArray(inner) ? [{ value: inner, path: [...path, name] }] : [],
  );
  return lists.length === 1 ? lists[0] : undefined;
}

function decodePage(
  expected: Endpoint['response'],
  found: FoundList,
  body: unknown,
  text: string,
  validates: boolean,
): Decoded {
  const pagination = findPagination(body);
  const list = validates ? validateItems(expected, found) : unchecked(found);
  const items = list.value as readonly unknown[];
  const value: ListValue<unknown> = {
    items,
    pagination: readPagination(pagination.value),
    keys: keysOf(items, text, found.path),
  };
  const issues = validates ? [...list.issues, ...validate(paginationFields, pagination).issues] : [];
  return { outcome: 'value', value, issues };
}

/** What is beside `data` or inside it; a list of another shape has no information about its pages. */
function findPagination(body: unknown): Found {
  if (!isObject(body)) return { value: {}, path: [] };
  const beside = body['pagination'];
  if (beside !== undefined && beside !== null) return { value: beside, path: ['pagination'] };
  const inside = isObject(body['data']) ? body['data']['pagination'] : undefined;
  return { value: inside ?? {}, path: ['data', 'pagination'] };
}

/** Leaves out what can't be used: without validation, a field can be anything, and it says nothing then. */
function readPagination(pagination: unknown): Pagination {
  const read: Record<string, unknown> = isObject(pagination) ? { ...pagination } : {};
  const { total, has_more: hasMore } = read;
  for (const name of ['limit', 'offset']) if (!isCount(read[name])) delete read[name];
  // However odd, a number larger than that of the items says that some are missing.
  if (typeof total === 'number' && total >= 0) read['total'] = Math.ceil(total);
  else delete read['total'];
  if (typeof hasMore !== 'boolean') delete read['has_more'];
  // The type is the documented one; code that reads a field here must expect it to be missing.
  return read as unknown as Pagination;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a body says that the call failed, although its status is a 2xx. */
function saysFailed(envelope: Envelope, body: unknown): boolean {
  if (!isObject(body)) return false;
  const { success, data, error } = body;
  if (success === false || success === 'false') return true;
  if (envelope === 'deletion' && isObject(data) && data['success'] === false) return true;
  // In a body without an envelope, `error` may be a field of the value.
  const isEnvelope = envelope !== 'any' || 'data' in body || 'success' in body;
  return isEnvelope && saysSomething(error);
}

function saysSomething(error: unknown): boolean {
  if (typeof error === 'object' && error !== null) return Object.keys(error).length > 0;
  return Boolean(error);
}

const mayBeEmpty: ReadonlySet<Envelope> = new Set(['plain', 'optional', 'deletion', 'any']);

/** Envelopes of writes whose body is not needed: the status says that they are done. */
const mayBeText: ReadonlySet<Envelope> = new Set(['optional', 'deletion']);

function parseBody(
  envelope: Envelope,
  response: RawResponse,
): { readonly value: unknown } | { readonly issues: readonly Issue[] } {
  const { text } = response;
  if (response.isTruncated) return problem('it is larger than maxResponseSize');
  const parsed = parseJson(text);
  if (parsed !== undefined) return parsed;
  const trimmed = text.trim();
  if (trimmed === '' && mayBeEmpty.has(envelope)) return { value: undefined };
  // A word such as `deleted` is a response; a page, of a login for example, or half of a JSON value is not.
  if (/^[^<[{]/.test(trimmed) && mayBeText.has(envelope)) return { value: undefined };
  return problem(`expected JSON, got ${trimmed === '' ? 'an empty body' : describeText(response)}`);
}

function problem(message: string): { readonly issues: readonly Issue[] } {
  return { issues: [{ path: [], message }] };
}

function describeText({ headers, text }: RawResponse): string {
  const type = headers.get('content-type')?.split(';', 1)[0] ?? 'no content type';
  return `${type}: ${JSON.stringify(excerpt(text, 200))}`;
}
