import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors.ts';
import { check } from '../contract/check.ts';
import { type Definition, definitionSchema } from './definition.ts';
import { metricKey, ruleKey } from './key.ts';
import { addSuggestion, isUnknown } from './suggestion.ts';
import { readYaml } from './yaml.ts';

/** How a definition is read. */
export interface ParseOptions {
  /**
   * What messages call the definition, such as the name of its file.
   *
   * @default 'the definition'
   */
  readonly source?: string | undefined;
}

/**
 * Reads a definition from YAML or JSON text, or checks an object.
 *
 * @throws {InvalidRequestError} with each thing that is wrong with it, in text with its line and column: a field that
 * is missing, unknown or of another kind, and two entries under one key.
 *
 * @example
 * const definition = parseDefinition(await readFile('rules.yaml', 'utf8'), { source: 'rules.yaml' });
 */
export function parseDefinition(
  definition: string | object,
  { source = 'the definition' }: ParseOptions = {},
): Definition {
  if (typeof definition !== 'string') return checkDefinition(definition, source, (issue) => issue);
  const { value, placeOf } = readYaml(definition, source);
  return checkDefinition(value, source, ({ path, message }) => {
    const { line, col } = placeOf(path, isUnknown(message) ? 'key' : 'value');
    return { path, message: `${message} (line ${line}, column ${col})` };
  });
}

function checkDefinition(definition: unknown, source: string, locate: (issue: Issue) => Issue): Definition {
  const checked = check(definitionSchema, definition);
  const issues =
    'issues' in checked
      ? checked.issues.map((issue) => addSuggestion(definition, issue))
      : [...findDoubles(checked.value)];
  if ('issues' in checked || issues.length > 0)
    throw new InvalidRequestError(source, issues.map(locate), { isList: true });
  return checked.value;
}

function* findDoubles({ tables }: Definition): Generator<Issue> {
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
