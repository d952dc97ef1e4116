import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import type { Schema } from '../contract/endpoint.ts';
import type { Issue } from '../contract/issue.ts';
import { invalidField, type Problem } from './problem.ts';

/** What one text of a query means to its field. */
function decodeText(field: unknown, text: string): unknown {
  if (field instanceof z.ZodMiniOptional) return decodeText(field.def.innerType, text);
  if (field instanceof z.ZodMiniBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  if (field instanceof z.ZodMiniNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}

/** Reads a query by its schema: a name given several times is a list, an unknown one is refused with 400. */
export function decodeQuery<Query>(schema: Schema<Query>, query: URLSearchParams): Query {
  const fields = new Map<string, unknown>(
    schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [],
  );
  const values = [...new Set(query.keys())].map((name) => {
    const decoded = query.getAll(name).map((text) => decodeText(fields.get(name), text));
    return [name, decoded.length === 1 ? decoded[0] : decoded] as const;
  });
  return decode(schema, Object.fromEntries(values), 'query');
}

/** Makes the response to a value whose field was refused. */
export type Refuse = (field: string, error: string, value: unknown) => Problem;

/** Checks a value against its schema; throws 400 with the first field that is refused, or `whole` if it has none. */
export function decode<Value>(
  schema: Schema<Value>,
  value: unknown,
  whole: string,
  refuse: Refuse = invalidField,
): Value {
  const checked = check(schema, value);
  if ('value' in checked) return checked.value;
  const without = withoutRefusedNulls(value, checked.issues);
  if (without !== undefined) return decode(schema, without, whole, refuse);
  const { path = [], message = 'is not valid' } = checked.issues[0] ?? {};
  throw refuse(path.length === 0 ? whole : path.map(String).join('.'), message, value);
}

/**
 * The value without the keys that were refused for being null, as if they had been left out; `undefined` if
 * no key was refused for that.
 */
function withoutRefusedNulls(value: unknown, issues: readonly Issue[]): object | undefined {
  // A text has many entries, and none of them is null.
  const entries = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  const refused = new Set(issues.map(({ path: [key] }) => key));
  const kept = entries.filter(([key, field]) => field !== null || !refused.has(key));
  return kept.length === entries.length ? undefined : Object.fromEntries(kept);
}
