import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

import type { Schema } from '../contract/endpoint.ts';
import type { Issue } from '../errors.ts';

// zod/mini has no messages of its own, and its global configuration belongs to the user.
const messages = { error: en().localeError };

/** A value that fits its schema, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** Holds a value against a schema. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const parsed = z.safeParse(schema, value, messages);
  return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
}
