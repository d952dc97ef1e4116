import * as z from 'zod/mini';

import type { Schema } from '../contract/endpoint.ts';
import { messages } from '../contract/messages.ts';
import type { Issue } from '../errors.ts';

/** A value that fits its schema, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** Holds a value against a schema. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const parsed = z.safeParse(schema, value, messages);
  return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
}
