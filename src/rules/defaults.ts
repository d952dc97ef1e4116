import * as z from 'zod/mini';

import { intervalSchema, nonEmptyText } from '../contract/field.ts';
import { severities } from '../contract/vocabulary.ts';

/** What a text may set once for all rules and metrics of a file, of an asset or of a table. */
export const defaultsSchema = z.strictObject({
  severity: z.optional(z.enum(severities)),
  check_interval: z.optional(intervalSchema),
  capture_interval: z.optional(intervalSchema),
  alert_threshold_percent: z.optional(z.number().check(z.gte(0), z.lte(100))),
  treat_null_as_valid: z.optional(z.boolean()),
  sensitivity: z.optional(z.number()),
  owner: z.optional(nonEmptyText),
  tags: z.optional(z.array(nonEmptyText)),
});

/** The defaults that rules have, and those that metrics have. */
export const defaultsOf = {
  rules: ['severity', 'check_interval', 'alert_threshold_percent', 'treat_null_as_valid', 'owner', 'tags'],
  metrics: ['capture_interval', 'sensitivity', 'owner', 'tags'],
} as const;
