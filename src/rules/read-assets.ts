import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { checkLocated } from './check-definition.ts';
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
  const { assets, issues } = expand(value, found.values);
  const locate = ({ path, message }: Issue): Issue => {
    const { line, col } = placeOf(path, isUnknown(message) ? 'key' : 'value');
    return { path, message: `${message} (line ${line}, column ${col})` };
  };
  const early = [...found.issues, ...issues];
  if (early.length > 0) {
    const located = early.map((issue) => locate(addSuggestion(value, issue)));
    throw new InvalidRequestError(source, located, { isList: true });
  }
  return assets.map(({ asset, value: expanded, writtenAt }) => ({
    source,
    asset,
    definition: checkLocated(expanded, source, ({ path, message }) =>
      locate({ path: writtenAt(path), message }),
    ),
  }));
}
