import { relationOf } from '../contract/dbt-manifest.ts';
import type { DbtManifest, DbtNode } from './dbt-manifest.ts';

/** A relation a dbt test looks at. */
export interface DbtRelation {
  /** Its database; null if the manifest has none. */
  readonly database: string | null;
  /** Its schema; null if the manifest has none. */
  readonly schema: string | null;
  /** Its name in the database. */
  readonly name: string;
}

/** The relation a test looks at; older manifests only have the `ref` or `source` in its arguments. */
export function findTarget({ nodes, sources }: DbtManifest, test: DbtNode): DbtNode | undefined {
  const candidates = test.attached_node ? [test.attached_node] : (test.depends_on?.nodes ?? []);
  const found = candidates.map((id) => nodes[id] ?? sources?.[id]).filter((node) => node !== undefined);
  if (found.length <= 1) return found[0];
  const model = test.test_metadata?.kwargs?.['model'];
  const referred = typeof model === 'string' ? referredName(model) : undefined;
  return found.find(({ name }) => name === referred);
}

/** The table that the `ref` or `source` in an argument of a test names. */
export function findReferred(
  { nodes, sources }: DbtManifest,
  test: DbtNode,
  reference: string,
): DbtNode | undefined {
  const name = referredName(reference);
  const found = (test.depends_on?.nodes ?? [])
    .map((id) => nodes[id] ?? sources?.[id])
    .filter((node) => node !== undefined && node.name === name);
  const [only] = found;
  return found.length === 1 && only?.config?.materialized !== 'ephemeral' ? only : undefined;
}

function referredName(reference: string): string | undefined {
  return [...reference.matchAll(/['"]([^'"]+)['"]/g)].at(-1)?.[1];
}

/** The names of a relation in its database. */
export function toRelation(target: DbtNode): DbtRelation {
  const { name, ...rest } = relationOf(target);
  return { ...rest, name: name ?? '' };
}

/** Database, schema and name, joined by dots. */
export function joinPath({ database, schema, name }: DbtRelation): string {
  return [database, schema, name].filter(Boolean).join('.');
}
