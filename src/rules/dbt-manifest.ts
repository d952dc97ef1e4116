import * as z from 'zod/mini';

import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { check } from '../contract/check.ts';

const text = z.nullish(z.string());

const period = z.nullish(z.looseObject({ count: z.nullish(z.number()), period: text }));

const nodeSchema = z.looseObject({
  resource_type: text,
  name: text,
  description: text,
  database: text,
  schema: text,
  alias: text,
  identifier: text,
  column_name: text,
  attached_node: text,
  depends_on: z.nullish(z.looseObject({ nodes: z.nullish(z.array(z.string())) })),
  config: z.nullish(
    z.looseObject({
      enabled: z.nullish(z.boolean()),
      severity: text,
      where: text,
      warn_if: text,
      error_if: text,
      materialized: text,
    }),
  ),
  test_metadata: z.nullish(
    z.looseObject({
      name: z.string(),
      namespace: text,
      kwargs: z.nullish(z.record(z.string(), z.unknown())),
    }),
  ),
  loaded_at_field: text,
  freshness: z.nullish(z.looseObject({ warn_after: period, error_after: period })),
});

const manifestSchema = z.looseObject({
  nodes: z.record(z.string(), nodeSchema),
  sources: z.nullish(z.record(z.string(), nodeSchema)),
});

/** A node of a manifest: a relation (a model, seed, snapshot or source), or a test of one. */
export type DbtNode = z.infer<typeof nodeSchema>;

/** What the import reads of a dbt manifest; all versions have it. */
export type DbtManifest = z.infer<typeof manifestSchema>;

/** Reads a manifest from JSON text, or checks an object; throws `InvalidRequestError` if it is not one. */
export function readManifest(source: string | object): DbtManifest {
  const checked = check(manifestSchema, typeof source === 'string' ? parseJson(source) : source);
  if ('issues' in checked) throw new InvalidRequestError('the dbt manifest', checked.issues);
  return checked.value;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new InvalidRequestError('the dbt manifest', [{ path: [], message: 'is not JSON' }], { cause });
  }
}
