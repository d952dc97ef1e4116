import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { checkDefinition } from './check-definition.ts';
import type { Definition } from './definition.ts';
import { asObject, fieldOf } from './json-value.ts';
import { mergeDefinitions } from './merge.ts';
import { type AssetDefinition, type AssetPart, readAssets } from './read-assets.ts';
import { chooseVariables } from './variables.ts';
import { readYaml } from './yaml.ts';

/** How definitions are read. */
export interface ParseFilesOptions {
  /**
   * Values of variables to use instead of those in the texts, as words of a command line: they take the kind that
   * the text gives the variable.
   */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The name of the environment in the texts whose values of variables apply. */
  readonly environment?: string | undefined;
}

/** How a definition is read. */
export interface ParseOptions extends ParseFilesOptions {
  /**
   * What messages call the definition, such as the name of its file.
   *
   * @default 'the definition'
   */
  readonly source?: string | undefined;
}

/** The text of a definition. */
export interface DefinitionText {
  /** What messages call it, such as the name of its file. */
  readonly source: string;
  /** YAML or JSON. */
  readonly text: string;
}

/**
 * Reads the definition of one asset from YAML or JSON text, with its variables and defaults filled in, or checks an
 * object, which has none.
 *
 * @throws {InvalidRequestError} with each thing that is wrong with it, in text with its line and column: a field that
 * is missing, unknown or of another kind, two entries under one key, and several assets.
 *
 * @example
 * const definition = parseDefinition(await readFile('rules.yaml', 'utf8'), { source: 'rules.yaml' });
 */
export function parseDefinition(
  definition: string | object,
  { source = 'the definition', ...options }: ParseOptions = {},
): Definition {
  if (typeof definition !== 'string') return checkDefinition(definition, source);
  const [first] = parseDefinitions([{ source, text: definition }], options);
  if (first?.asset === null) return first.definition;
  const message = 'must not be here: parseDefinitions reads a text that names its assets';
  throw new InvalidRequestError(source, [{ path: ['assets'], message }]);
}

/**
 * Reads definitions from several texts, each with variables and defaults of its own: one for each asset that they
 * name, or one for an asset that is not named.
 *
 * @throws {InvalidRequestError} if one of them is not valid, if two of them describe the same rule or metric, or if
 * some name their assets and some do not.
 *
 * @example
 * const definitions = parseDefinitions(files, { environment: 'staging', variables: { limit: '100' } });
 * for (const { asset, definition } of definitions) await plan(client, asset ?? assetId, definition);
 */
export function parseDefinitions(
  texts: readonly DefinitionText[],
  { variables = {}, environment }: ParseFilesOptions = {},
): readonly AssetDefinition[] {
  const refusals: InvalidRequestError[] = [];
  const read = texts.flatMap(({ source, text }) =>
    collect(refusals, () => [{ source, ...readYaml(text, source) }]),
  );
  const known = { variables: new Set<string>(), environments: new Set<string>() };
  const chosen = read.map((one) => {
    const environments = fieldOf(asObject(one.value), 'environments');
    for (const name of Object.keys(asObject(environments))) known.environments.add(name);
    const found = chooseVariables(asObject(one.value), environment, variables);
    for (const name of found.names) known.variables.add(name);
    return Object.assign(one, { found });
  });
  // What a text that cannot be read declares is not known.
  if (refusals.length === 0) {
    refuseUnknown('variable', Object.keys(variables), known.variables);
    refuseUnknown('environment', environment === undefined ? [] : [environment], known.environments);
  }
  const parts = chosen.flatMap((one) => collect(refusals, () => readAssets(one)));
  const order = texts.map(({ source }) => source);
  refuseAll(refusals.toSorted((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject)));
  refuseMixture(parts);
  return [...Map.groupBy(parts, ({ asset }) => asset)].map(([asset, ofAsset]) => ({
    asset,
    definition: mergeDefinitions(ofAsset),
  }));
}

/** Returns what `read` returns; nothing if it refuses its text, which is added to the refusals. */
function collect<Value>(refusals: InvalidRequestError[], read: () => readonly Value[]): readonly Value[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    refusals.push(error);
    return [];
  }
}

/** Throws one error for all texts that were refused, with the message of each. */
function refuseAll(refusals: readonly InvalidRequestError[]): void {
  const [only, ...others] = refusals;
  if (only === undefined) return;
  if (others.length === 0) throw only;
  throw new InvalidRequestError(
    `${refusals.length} definitions are not valid`,
    refusals.flatMap(({ issues, subject }) => issues.map((issue) => ({ ...issue, source: subject }))),
    { isList: true },
  );
}

/** Tables without an asset would belong to whichever one a command is given. */
function refuseMixture(parts: readonly AssetPart[]): void {
  const unnamed = parts.find(({ asset }) => asset === null);
  const named = parts.find(({ asset }) => asset !== null);
  if (unnamed === undefined || named === undefined) return;
  const message = `${named.source} names its assets: write the tables of ${unnamed.source} below one of its own, as assets: { <id>: { tables } }`;
  throw new InvalidRequestError(unnamed.source, [{ path: ['tables'], message }]);
}

function refuseUnknown(kind: string, given: readonly string[], known: ReadonlySet<string>): void {
  const issues = given
    .filter((name) => !known.has(name))
    .map((name) => ({
      path: [name],
      message: `is not known; ${known.size === 0 ? 'there are none' : `known are ${[...known].join(', ')}`}`,
    }));
  if (issues.length > 0) throw new InvalidRequestError(kind, issues, { isList: true });
}
