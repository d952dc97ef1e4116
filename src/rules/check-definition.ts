import { check } from '../contract/check.ts';
import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { type Definition, definitionSchema } from './definition.ts';
import { metricKey, ruleKey } from './key.ts';
import { addSuggestion } from './suggestion.ts';

/**
 * Checks an object that should be the definition of one asset, and returns it. Unlike `parseDefinition`, it brings no
 * YAML parser into a bundle.
 *
 * @param source what messages call the definition; default `the definition`.
 * @throws {InvalidRequestError} with each thing that is wrong with it: a field that is missing, unknown or of another
 * kind, and two entries under one key.
 *
 * @example
 * const definition = checkDefinition({ tables: { 'warehouse.public.orders': { rules: [] } } });
 */
export function checkDefinition(definition: unknown, source = 'the definition'): Definition {
  if (typeof definition === 'string') {
    const message = 'is text, not an object: read it with parseDefinition';
    throw new InvalidRequestError(source, [{ path: [], message }]);
  }
  const read = readDefinition(definition);
  if ('issues' in read) throw new InvalidRequestError(source, read.issues, { isList: true });
  return read.definition;
}

/** The definition that a value is, or each thing that is wrong with it. */
export function readDefinition(
  value: unknown,
): { readonly definition: Definition } | { readonly issues: readonly Issue[] } {
  const checked = check(definitionSchema, value);
  if ('issues' in checked) return { issues: checked.issues.map((issue) => addSuggestion(value, issue)) };
  const issues = [...findContradictions(checked.value)];
  return issues.length > 0 ? { issues } : { definition: checked.value };
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
