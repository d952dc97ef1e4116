import * as z from 'zod/mini';

/** A text that some versions of dbt leave out, and others set to null. */
export const manifestText = z.nullish(z.string());

/** What all versions of dbt write about a model, seed, snapshot, source or test. */
export const manifestNodeShape = {
  /** What it is: `model`, `seed`, `snapshot`, `source` or `test`. */
  resource_type: manifestText,
  /** Its name in dbt. */
  name: manifestText,
  /** The name of its table, if that is not its name in dbt. */
  alias: manifestText,
  /** The name of the table of a source, if that is not its name in dbt. */
  identifier: manifestText,
  /** The database of its table. */
  database: manifestText,
  /** The schema of its table. */
  schema: manifestText,
  /** What it is made from, by the unique ids of dbt. */
  depends_on: z.nullish(z.object({ nodes: z.nullish(z.array(z.string())) })),
};

/** What every version of a manifest has around its nodes. */
export function manifestShape<Node extends z.core.$ZodType>(node: Node) {
  return {
    metadata: z.nullish(z.object({ dbt_schema_version: manifestText })),
    nodes: z.record(z.string(), node),
    sources: z.nullish(z.record(z.string(), node)),
  };
}

/** Whether an artifact of dbt calls itself a manifest; the oldest do not say. */
export function isManifestVersion(version: string | null | undefined): boolean {
  return version?.includes('/manifest') ?? true;
}

/** Returns the database, schema and name by which a node is a table; each is null if the manifest does not have it. */
export function relationOf(node: {
  readonly database?: string | null | undefined;
  readonly schema?: string | null | undefined;
  readonly identifier?: string | null | undefined;
  readonly alias?: string | null | undefined;
  readonly name?: string | null | undefined;
}): { readonly database: string | null; readonly schema: string | null; readonly name: string | null } {
  const { database, schema, identifier, alias, name } = node;
  return { database: database || null, schema: schema || null, name: identifier || alias || name || null };
}
