import type { DbtManifest, DbtNode } from './dbt-manifest.ts';
import type { Labels } from './labels.ts';

/** The versions of manifests in which dbt itself adds tags to tests. */
const taggingVersions = /\/manifest\/v[1-3]\.json$/;

/**
 * The owner and tags of a test: its own `meta.owner`, else that of the model, else the owner of the model's group; its
 * own tags and those of the model, as `dbt test --select tag:…` understands them.
 */
export function labelsOfTest(manifest: DbtManifest, test: DbtNode, target: DbtNode | undefined): Labels {
  const owner = ownerIn(test) ?? (target && (ownerIn(target) ?? groupOwner(manifest, target)));
  const isTagging = taggingVersions.test(manifest.metadata?.dbt_schema_version ?? '');
  const own = tagsOf(test).filter((tag) => !(isTagging && (tag === 'schema' || tag === 'data')));
  const tags = [...new Set([...own, ...(target === undefined ? [] : tagsOf(target))])];
  return { ...(owner !== undefined && { owner }), ...(tags.length > 0 && { tags }) };
}

function tagsOf({ tags }: DbtNode): string[] {
  return [tags ?? []].flat().filter((tag) => tag !== '');
}

function ownerIn({ config, meta }: DbtNode): string | undefined {
  return ownerName(config?.meta?.['owner'] ?? meta?.['owner']);
}

function groupOwner({ groups }: DbtManifest, { config, group }: DbtNode): string | undefined {
  const name = config?.group ?? group;
  if (!name) return undefined;
  return ownerName(Object.values(groups ?? {}).find((one) => one.name === name)?.owner);
}

/** An owner is a text, or has a name or an address. */
function ownerName(owner: unknown): string | undefined {
  if (typeof owner === 'string') return owner === '' ? undefined : owner;
  if (typeof owner !== 'object' || owner === null) return undefined;
  const { name, email } = owner as { readonly name?: unknown; readonly email?: unknown };
  return [name, email].flat().find((text): text is string => typeof text === 'string' && text !== '');
}
