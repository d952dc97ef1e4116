import * as z from 'zod/mini';

import type { Schema } from './endpoint.ts';
import { type Issue, expectedOther } from './issue.ts';

/** A value that fits its schema, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** Checks a value against a schema: the one place that turns what zod finds into issues of this package. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const parsed = z.safeParse(schema, value, { error: describe });
  return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues.flatMap(toIssues) };
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const { path, message } = issue;
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => ({ path, message: inner.message }));
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: 'is not known' }));
}

/**
 * zod/mini has no messages of its own, and its global configuration belongs to the user: that one applies
 * if this returns nothing.
 */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      // Without a path it is the whole value, which no sentence names.
      return issue.input === undefined && issue.path?.length
        ? 'is required'
        : // JSON has objects only.
          expectedOther(issue.expected === 'record' ? 'object' : issue.expected, issue.input);
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return Array.isArray(issue.options) ? oneOf(issue.options) : 'is not valid';
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit(issue.origin)}`;
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): string {
  return `must be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : '';
}
