import * as z from 'zod/mini';

import type { Schema } from '../contract/index.ts';
import { invalidField } from './problem.ts';

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

/** Holds a value against its schema; throws 400 with the first field that is refused. */
export function decode<Value>(schema: Schema<Value>, value: unknown, whole = 'body'): Value {
  const result = z.safeParse(schema, value, { error: z.locales.en().localeError });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue === undefined) throw invalidField(whole, 'is not valid');
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  throw invalidField(path.length === 0 ? whole : path.map(String).join('.'), describe(issue));
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'is not known here';
  return issue.message;
}
