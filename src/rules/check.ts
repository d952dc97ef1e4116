import * as z from 'zod/mini';

import { messages } from '../contract/messages.ts';
import { metricTypes, ruleTypes } from '../contract/vocabulary.ts';
import type { Issue } from '../errors.ts';

/** A value that fits its schema, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** Holds a value against a schema. */
export function check<T>(schema: z.core.$ZodType<T>, value: unknown): Checked<T> {
  const parsed = z.safeParse(schema, value, messages);
  return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues.map(describe) };
}

function describe(issue: z.core.$ZodIssue): Issue {
  const { path, message } = issue;
  // What zod says of an unknown type does not name the known ones.
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return { path, message };
  const known = issue.discriminator === 'rule_type' ? ruleTypes : metricTypes;
  return { path, message: `must be one of ${known.join(', ')}` };
}
