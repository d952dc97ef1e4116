import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { readDefinition } from './check-definition.ts';
import type { Definition } from './definition.ts';
import { expand } from './expand.ts';
import type { DefinitionPart } from './merge.ts';
import { addSuggestion, isUnknown } from './suggestion.ts';
import type { ChosenVariables } from './variables.ts';
import type { YamlSource } from './yaml.ts';

/** The definition of one asset. */
export interface AssetDefinition {
  /** The id of the asset; null if the text does not name assets, so that it is for the one that `plan` is given. */
  readonly asset: string | null;
  /** What the asset should have. */
  readonly definition: Definition;
}

/** A text that was read, and the values of its variables. */
export interface ReadText extends YamlSource {
  readonly source: string;
  readonly found: ChosenVariables;
}

/** What one text says about one asset. */
export interface AssetPart extends DefinitionPart, AssetDefinition {}

/** Reads the definition of each asset of a text; throws `InvalidRequestError` with the place of each mistake. */
export function readAssets({ source, value, placeOf, found }: ReadText): AssetPart[] {
  const { assets, issues: ofText } = expand(value, found.values);
  const issues = [...found.issues, ...ofText].map((issue) => addSuggestion(value, issue));
  const places = new Set(issues.map(({ path }) => pathKey(path)));
  const parts = assets.flatMap(({ asset, value: expanded, writtenAt }) => {
    const read = readDefinition(expanded);
    if ('definition' in read) return [{ source, asset, definition: read.definition }];
    // What is wrong with the text is the reason why its place cannot be right in the definition.
    const others = read.issues.map(({ path, message }) => ({ path: writtenAt(path), message }));
    issues.push(...others.filter(({ path }) => !places.has(pathKey(path))));
    return [];
  });
  if (issues.length === 0) return parts;
  const located = issues.map((issue) => ({
    issue,
    place: placeOf(issue.path, isUnknown(issue.message) ? 'key' : 'value'),
  }));
  const inOrder = located.toSorted((a, b) => a.place.line - b.place.line || a.place.col - b.place.col);
  throw new InvalidRequestError(
    source,
    inOrder.map(({ issue: { path, message }, place: { line, col } }) => ({
      path,
      message: `${message} (line ${line}, column ${col})`,
    })),
    { isList: true },
  );
}

function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
