import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import { destinationSchema } from '../contract/destination.ts';
import { nonEmptyText } from '../contract/field.ts';
import { describeIssues } from '../contract/issue.ts';
import { thresholdSchema } from '../contract/threshold.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';

/** Name of the file that configures a data folder; it is never a table. */
export const configurationFile = 'dq.json';

const freshnessSchema = z.strictObject({
  table: z.optional(nonEmptyText),
  timestamp_column: z.optional(nonEmptyText),
  threshold: z.optional(thresholdSchema),
  /** Percent of the time that the data is to be fresh, above 0 and below 100. */
  target_percent: z.optional(z.number().check(z.gt(0), z.lt(100))),
});

const sourceSchema = z.strictObject({
  url: nonEmptyText,
  schemas: z.optional(z.array(nonEmptyText)),
});

const assetSchema = z.strictObject({
  name: z.optional(nonEmptyText),
  id: z.optional(z.uuid('must be a UUID')),
  path: z.optional(nonEmptyText),
  source: z.optional(sourceSchema),
  freshness: z.optional(z.union([freshnessSchema, z.array(freshnessSchema)])),
});

const configurationSchema = z.strictObject({
  assets: z.optional(z.array(assetSchema)),
  destinations: z.optional(z.array(destinationSchema)),
});

/** How the age of an asset's data is judged. */
export type FreshnessConfiguration = z.infer<typeof freshnessSchema>;

/** The database that an asset is. */
export type SourceConfiguration = z.infer<typeof sourceSchema>;

/** An asset that `dq.json` names. */
export type AssetConfiguration = z.infer<typeof assetSchema>;

/** The configuration in `dq.json`. */
export type Configuration = z.infer<typeof configurationSchema>;

/** Reads `dq.json`; an empty configuration if it does not exist. */
export async function readConfiguration(data: string): Promise<Configuration> {
  const path = join(data, configurationFile);
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new ConfigurationError(`${path} cannot be read`, { cause: error });
  }
  return parseConfiguration(path, content);
}

function parseConfiguration(path: string, content: string): Configuration {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    throw new ConfigurationError(`${path} is not JSON`, { cause: error });
  }
  const checked = check(configurationSchema, json);
  if ('value' in checked) return checked.value;
  throw new ConfigurationError(`${path}: ${describeIssues(checked.issues, 20)}`);
}
