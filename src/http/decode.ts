import * as z from 'zod/mini';

import type { Endpoint, Envelope, Schema } from '../contract/endpoint.ts';
import { type Pagination, paginationSchema } from '../contract/envelope.ts';
import { ResponseValidationError, type CallDescription, type Issue } from '../errors.ts';
import { check } from './check.ts';
import { exactKeys } from './item-key.ts';
import { excerpt, isObject, parseJson } from './json.ts';
import type { RawResponse } from './transport.ts';

/** A page of a list, without its envelope. */
export interface ListValue<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
  /** What identifies the items, if their ids are numbers that JavaScript rounds. */
  readonly exactKeys: readonly unknown[] | undefined;
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
  const issues: Issue[] = [];
  const value = validates ? validate(endpoint.response, found, issues) : found.value;
  return { outcome: 'value', value, issues };
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

/** Adds the issues of a value to `issues`; returns what the schema made of it, or the value as it came. */
function validate(schema: Schema, { value, path }: Found, issues: Issue[]): unknown {
  const checked = check(schema, value);
  if ('value' in checked) return checked.value;
  for (const issue of checked.issues) issues.push({ path: [...path, ...issue.path], message: issue.message });
  return value;
}

function unusable(path: readonly PropertyKey[], message: string): Decoded {
  return { outcome: 'unusable', issues: [{ path, message }] };
}

const readers: Readonly<
  Record<Exclude<Envelope, 'list' | 'any-list'>, (body: unknown) => Found | undefined>
> = {
  object: (body) =>
    isObject(body) && body['data'] !== undefined ? { value: body['data'], path: ['data'] } : undefined,
  success: unwrap,
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

function objectOrEmpty(body: unknown): Found & { readonly value: Record<string, unknown> } {
  const { value, path } = unwrap(body);
  return { value: isObject(value) ? value : {}, path };
}

/** The items in `{ data: { items } }`, `{ data: [ ] }` or a bare array. */
function findItems(body: unknown): Found | undefined {
  if (Array.isArray(body)) return whole(body);
  const data = unwrap(body);
  if (Array.isArray(data.value)) return data;
  const items = isObject(data.value) ? data.value['items'] : undefined;
  return Array.isArray(items) ? { value: items, path: [...data.path, 'items'] } : undefined;
}

/** The items of a list that this package does not know: if they have no usual place, the one array that there is. */
function findArray(body: unknown): Found | undefined {
  const usual = findItems(body);
  if (usual !== undefined) return usual;
  const { value, path } = unwrap(body);
  const arrays = isObject(value) ? Object.entries(value).filter(([, inner]) => Array.isArray(inner)) : [];
  const [only] = arrays;
  return arrays.length === 1 && only !== undefined ? { value: only[1], path: [...path, only[0]] } : undefined;
}

function decodePage(
  itemSchema: Schema,
  found: Found,
  body: unknown,
  text: string,
  validates: boolean,
): Decoded {
  const issues: Issue[] = [];
  const placed = findPagination(body);
  // The schema of all items at once, because checking each by itself costs more than the check.
  const items = (validates ? validate(listOf(itemSchema), found, issues) : found.value) as readonly unknown[];
  const pagination = validates ? validate(paginationSchema, placed, issues) : placed.value;
  const value: ListValue<unknown> = {
    items,
    pagination: readPagination(pagination),
    exactKeys: exactKeys(items, text, found.path),
  };
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

const isOfItsType: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...['total', 'limit', 'offset'].map((name) => [name, isCount] as const),
  ['has_more', (value) => typeof value === 'boolean'],
]);

/** Leaves out what can't be used: without validation, a field can be anything, and it says nothing then. */
function readPagination(pagination: unknown): Pagination {
  const fields = isObject(pagination) ? Object.entries(pagination) : [];
  const usable = fields.filter(([name, value]) => isOfItsType.get(name)?.(value) ?? true);
  // The type is the documented one; code that reads a field here must expect it to be missing.
  return Object.fromEntries(usable) as unknown as Pagination;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const lists = new WeakMap<Schema, Schema<unknown[]>>();

function listOf(itemSchema: Schema): Schema<unknown[]> {
  const known = lists.get(itemSchema) ?? z.array(itemSchema);
  lists.set(itemSchema, known);
  return known;
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
