import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors.ts';
import { check } from '../contract/check.ts';
import { type Definition, definitionSchema } from './definition.ts';
import { metricKey, ruleKey } from './key.ts';
import { readYaml } from './yaml.ts';

/**
 * Reads a definition from YAML or JSON text, or checks an object. Throws `InvalidRequestError` with each thing that
 * is wrong with it, in text with its line: a field that is missing, unknown or of another kind, and two entries
 * under one key.
 *
 * @example
 * const definition = parseDefinition(await readFile('rules.yaml', 'utf8'));
 */
export function parseDefinition(source: string | object): Definition {
  if (typeof source !== 'string') return checkDefinition(source, (issue) => issue);
  const { value, lineOf } = readYaml(source);
  return checkDefinition(value, ({ path, message }) => ({
    path,
    message: `${message} (line ${lineOf(path)})`,
  }));
}

function checkDefinition(source: unknown, locate: (issue: Issue) => Issue): Definition {
  const checked = check(definitionSchema, source);
  const issues = 'issues' in checked ? checked.issues : [...findDoubles(checked.value)];
  if ('issues' in checked || issues.length > 0)
    throw new InvalidRequestError('the definition', issues.map(locate));
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
