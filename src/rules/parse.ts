import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { check } from '../contract/check.ts';
import { type Definition, definitionSchema } from './definition.ts';
import { fieldOf } from './difference.ts';
import { expand } from './expand.ts';
import { metricKey, ruleKey } from './key.ts';
import { mergeDefinitions } from './merge.ts';
import { addSuggestion, isUnknown } from './suggestion.ts';
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
 * Reads a definition from YAML or JSON text, with its variables and defaults filled in, or checks an object, which has
 * none.
 *
 * @throws {InvalidRequestError} with each thing that is wrong with it, in text with its line and column: a field that
 * is missing, unknown or of another kind, and two entries under one key.
 *
 * @example
 * const definition = parseDefinition(await readFile('rules.yaml', 'utf8'), { source: 'rules.yaml' });
 */
export function parseDefinition(
  definition: string | object,
  { source = 'the definition', ...options }: ParseOptions = {},
): Definition {
  if (typeof definition !== 'string') return checkDefinition(definition, source);
  return parseDefinitions([{ source, text: definition }], options);
}

/**
 * Reads one definition from several texts, each with variables and defaults of its own.
 *
 * @throws {InvalidRequestError} if one of them is not valid, or if two of them describe the same rule or metric.
 *
 * @example
 * const definition = parseDefinitions(files, { environment: 'staging', variables: { limit: '100' } });
 */
export function parseDefinitions(
  texts: readonly DefinitionText[],
  { variables = {}, environment }: ParseFilesOptions = {},
): Definition {
  const read = texts.map(({ source, text }) => ({ source, ...readYaml(text, source) }));
  const known = { variables: new Set<string>(), environments: new Set<string>() };
  const chosen = read.map((one) => {
    const environments = fieldOf(asObject(one.value), 'environments');
    for (const name of Object.keys(asObject(environments))) known.environments.add(name);
    const found = chooseVariables(asObject(one.value), environment, variables);
    for (const name of found.names) known.variables.add(name);
    return { one, found };
  });
  refuseUnknown('variable', Object.keys(variables), known.variables);
  refuseUnknown('environment', environment === undefined ? [] : [environment], known.environments);
  const parts = chosen.map(({ one: { source, value, placeOf }, found }) => {
    const expanded = expand(value, found.values);
    const locate = ({ path, message }: Issue): Issue => {
      const { line, col } = placeOf(path, isUnknown(message) ? 'key' : 'value');
      return { path, message: `${message} (line ${line}, column ${col})` };
    };
    const early = [...found.issues, ...expanded.issues];
    if (early.length > 0) {
      const located = early.map((issue) => locate(addSuggestion(value, issue)));
      throw new InvalidRequestError(source, located, { isList: true });
    }
    const definition = checkDefinition(expanded.value, source, ({ path, message }) =>
      locate({ path: expanded.writtenAt(path), message }),
    );
    return { source, definition };
  });
  return mergeDefinitions(parts);
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

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function checkDefinition(
  definition: unknown,
  source: string,
  locate: (issue: Issue) => Issue = (issue) => issue,
): Definition {
  const checked = check(definitionSchema, definition);
  const issues =
    'issues' in checked
      ? checked.issues.map((issue) => addSuggestion(definition, issue))
      : [...findContradictions(checked.value)];
  if ('issues' in checked || issues.length > 0)
    throw new InvalidRequestError(source, issues.map(locate), { isList: true });
  return checked.value;
}

function* findContradictions({ tables }: Definition): Generator<Issue> {
  for (const [table, { rules = [], metrics = [] }] of Object.entries(tables)) {
    yield* findRepeated(
      rules.map(ruleKey),
      ['tables', table, 'rules'],
      'give each rule of a column its own name',
    );
    yield* findRepeated(
      metrics.map(metricKey),
      ['tables', table, 'metrics'],
      'one metric of its kind is enough',
    );
    for (const [at, { name, renamed_from }] of rules.entries()) {
      if (renamed_from === undefined || name !== undefined) continue;
      const path = ['tables', table, 'rules', at, 'renamed_from'];
      yield { path, message: 'must have a name beside it: the one that the rule gets' };
    }
  }
}

function* findRepeated(
  keys: readonly string[],
  path: readonly PropertyKey[],
  advice: string,
): Generator<Issue> {
  const first = new Map<string, number>();
  for (const [at, key] of keys.entries()) {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, at);
    else yield { path: [...path, at], message: `is under the same key as entry ${earlier}: ${advice}` };
  }
}
