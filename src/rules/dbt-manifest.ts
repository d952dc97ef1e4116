import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import {
  isManifestVersion,
  manifestNodeShape,
  manifestShape,
  manifestText as text,
} from '../contract/dbt-manifest.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';

const period = z.nullish(z.looseObject({ count: z.nullish(z.number()), period: text }));

const freshness = z.nullish(z.looseObject({ warn_after: period, error_after: period, filter: text }));

const meta = z.nullish(z.record(z.string(), z.unknown()));

const tags = z.nullish(z.union([z.array(z.string()), z.string()]));

const nodeSchema = z.looseObject({
  ...manifestNodeShape,
  description: text,
  column_name: text,
  attached_node: text,
  group: text,
  meta,
  tags,
  config: z.nullish(
    z.looseObject({
      enabled: z.nullish(z.boolean()),
      severity: text,
      where: text,
      warn_if: text,
      error_if: text,
      materialized: text,
      meta,
      group: text,
      freshness,
      loaded_at_field: text,
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
  freshness,
});

const groupSchema = z.looseObject({
  name: text,
  owner: z.nullish(
    z.looseObject({ name: text, email: z.nullish(z.union([z.string(), z.array(z.string())])) }),
  ),
});

const manifestSchema = z.looseObject({
  ...manifestShape(nodeSchema),
  groups: z.nullish(z.record(z.string(), groupSchema)),
});

/** A node of a manifest: a relation (a model, seed, snapshot or source), or a test of one. */
export type DbtNode = z.infer<typeof nodeSchema>;

/** What the import reads of a dbt manifest; all versions have it. */
export type DbtManifest = z.infer<typeof manifestSchema>;

/** Reads a manifest from JSON text, or checks an object; throws `InvalidRequestError` if it is not one. */
export function readManifest(source: string | object): DbtManifest {
  const manifest = readArtifact('the dbt manifest', manifestSchema, source);
  const version = manifest.metadata?.dbt_schema_version;
  if (isManifestVersion(version)) return manifest;
  const message = `is not a manifest, but ${version}`;
  throw new InvalidRequestError('the dbt manifest', [{ path: [], message }]);
}

/** Reads a file that dbt wrote from JSON text, or checks an object. */
export function readArtifact<Artifact>(
  what: string,
  schema: z.ZodMiniType<Artifact>,
  source: string | object,
): Artifact {
  const checked = check(schema, typeof source === 'string' ? parseJson(what, source) : source);
  if ('issues' in checked) throw new InvalidRequestError(what, checked.issues);
  return checked.value;
}

function parseJson(what: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new InvalidRequestError(what, [{ path: [], message: 'is not JSON' }], { cause });
  }
}
