import * as z from 'zod/mini';

import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { readArtifact } from './dbt-manifest.ts';

const text = z.nullish(z.string());

const runResultsSchema = z.looseObject({
  metadata: z.nullish(z.looseObject({ dbt_schema_version: text, generated_at: text })),
  results: z.array(
    z.looseObject({ unique_id: z.string(), status: text, failures: z.nullish(z.number()), message: text }),
  ),
});

/** What the last run of dbt found about a test. */
export interface DbtTestResult {
  /** dbt's own id, such as `test.shop.not_null_orders_id`. */
  readonly unique_id: string;
  /** Its name in dbt. */
  readonly name: string;
  /** In dbt's words: `pass`, `fail`, `warn`, `error` or `skipped`. */
  readonly status: string;
  /** How many rows dbt found; null if the test was not run to its end. */
  readonly failures: number | null;
  /** What dbt says about it; null if nothing. */
  readonly message: string | null;
}

/** What the last run of dbt found. */
export interface DbtRun {
  /** When dbt wrote it, ISO 8601; null if it does not say. */
  readonly generated_at: string | null;
  /** One entry per test of the manifest that was run. */
  readonly tests: readonly DbtTestResult[];
}

/** Reads what a run found about the tests whose names are given by their ids. */
export function readRunResults(source: string | object, names: ReadonlyMap<string, string>): DbtRun {
  const { metadata, results } = readArtifact('the results of dbt', runResultsSchema, source);
  const version = metadata?.dbt_schema_version ?? '/run-results';
  if (!version.includes('/run-results')) {
    const message = `are not run results, but ${version}`;
    throw new InvalidRequestError('the results of dbt', [{ path: [], message }]);
  }
  const tests = results.flatMap(({ unique_id, status, failures, message }): DbtTestResult[] => {
    const name = names.get(unique_id);
    if (name === undefined) return [];
    return [
      { unique_id, name, status: status ?? 'unknown', failures: failures ?? null, message: message ?? null },
    ];
  });
  return { generated_at: metadata?.generated_at ?? null, tests };
}
