import type { Issue } from '../contract/issue.ts';
import { destinationsSchema } from './definition.ts';
import { expandTables } from './expand-tables.ts';
import { Expansion, type Path } from './expansion.ts';
import { isObject, type JsonObject, present } from './json-value.ts';
import type { Variables } from './variables.ts';

/** The definition of one asset without what only shortens its text. */
export interface Expanded {
  /** The id of the asset; null if the text does not name assets. */
  readonly asset: string | null;
  readonly value: unknown;
  /** Returns the path in the text of what the expanded definition has at a path. */
  readonly writtenAt: (path: Path) => Path;
}

/** A text of which each asset is expanded. */
export interface ExpandedText {
  readonly assets: readonly Expanded[];
  /** What is wrong with that which shortens it, by the paths of the text. */
  readonly issues: readonly Issue[];
}

/**
 * Fills in variables and defaults, and makes one entry for each of several columns. What is not of the right kind is
 * left as it is, for the schema of the definition to refuse.
 */
export function expand(written: unknown, variables: Variables): ExpandedText {
  if (!isObject(written)) {
    return { assets: [{ asset: null, value: written, writtenAt: (path) => path }], issues: [] };
  }
  const expansion = new Expansion(variables);
  const { variables: _declared, environments: _environments, defaults, assets, ...rest } = written;
  const ofFile = expansion.readDefaults(defaults, ['defaults']);
  const expanded =
    assets === undefined
      ? [expandAsset(expansion, { asset: null, body: rest, at: [], defaults: ofFile })]
      : expandAssets(expansion, assets, rest, ofFile);
  return { assets: expanded, issues: expansion.issues };
}

function expandAssets(
  expansion: Expansion,
  byId: unknown,
  { destinations, ...others }: JsonObject,
  ofFile: JsonObject,
): Expanded[] {
  for (const key of Object.keys(others)) {
    const belongsToAsset = ['tables', 'keep', 'freshness'].includes(key);
    expansion.refuse(
      [key],
      belongsToAsset ? 'cannot stand beside assets: write it below one of them' : 'is not known',
    );
  }
  if (!isObject(byId) || Object.keys(byId).length === 0) {
    expansion.refuse(['assets'], 'must have one asset or more, by their ids');
    return [];
  }
  const shared =
    destinations === undefined
      ? {}
      : present({ destinations: expansion.readPart(destinationsSchema, destinations, ['destinations']) });
  return Object.entries(byId).map(([id, body]) => {
    const at = ['assets', id];
    const asset = String(expansion.fill(id, at));
    if (!isObject(body)) return { asset, value: body, writtenAt: (inner) => [...at, ...inner] };
    const { defaults: own, ...fields } = body;
    if (Object.hasOwn(fields, 'destinations'))
      expansion.refuse([...at, 'destinations'], 'is not of one asset: write it above the assets');
    const defaults = { ...ofFile, ...expansion.readDefaults(own, [...at, 'defaults']) };
    return expandAsset(expansion, { asset, body: { ...fields, ...shared }, at, defaults });
  });
}

/** The part of a text that is about one asset. */
interface WrittenAsset {
  readonly asset: string | null;
  readonly body: JsonObject;
  readonly at: Path;
  readonly defaults: JsonObject;
}

function expandAsset(expansion: Expansion, { asset, body, at, defaults }: WrittenAsset): Expanded {
  const { tables, keep, ...others } = body;
  expansion.refuseDefaults(others, at);
  const filled = Object.fromEntries(
    Object.entries(others).map(([key, value]) => [key, expansion.fill(value, [...at, key])]),
  );
  const expanded = isObject(tables) ? expandTables(expansion, tables, at, defaults) : undefined;
  return {
    asset,
    value: { ...filled, ...present({ keep, tables: expanded === undefined ? tables : expanded.value }) },
    writtenAt: (path) => [...at, ...(expanded?.writtenAt(path) ?? path)],
  };
}
