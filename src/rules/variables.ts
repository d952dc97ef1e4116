import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import type { Issue } from '../contract/issue.ts';
import { fieldOf } from './json-value.ts';

/** The value of a variable. */
export type VariableValue = string | number | boolean;

/** The values of variables, by their names. */
export type Variables = Readonly<Record<string, VariableValue>>;

/** The variables of a file: their names, as `${name}` uses them, and their values. */
export const variablesSchema = z.record(
  z.string().check(z.regex(/^[A-Za-z_]\w*$/, 'must be letters, digits and _, and not begin with a digit')),
  z.union([z.string(), z.number(), z.boolean()]),
);

/** What a text says of its variables. */
export const variableFields = {
  variables: z.optional(variablesSchema),
  environments: z.optional(z.record(z.string(), variablesSchema)),
};

const headSchema = z.object(variableFields);

const reference = /(\$+)\{([A-Za-z_]\w*)\}/g;

/** The values of the variables of a text, and what is wrong with them. */
export interface ChosenVariables {
  readonly values: Variables;
  readonly names: readonly string[];
  readonly issues: readonly Issue[];
}

/** The variables a text declares: those of the environment before its own, and those given on a command line before both. */
export function chooseVariables(
  text: object,
  environment: string | undefined,
  given: Readonly<Record<string, string>>,
): ChosenVariables {
  const declared = check(headSchema, {
    variables: fieldOf(text, 'variables'),
    environments: fieldOf(text, 'environments'),
  });
  if ('issues' in declared) return { values: {}, names: [], issues: declared.issues };
  const { variables, environments = {} } = declared.value;
  const ofEnvironment = environment === undefined ? undefined : fieldOf(environments, environment);
  const own: Variables = { ...variables, ...(ofEnvironment as Variables | undefined) };
  const issues: Issue[] = [];
  const values = Object.entries(own).map(([name, value]) => {
    const word = Object.hasOwn(given, name) ? given[name] : undefined;
    const converted = word === undefined ? value : convert(word, value);
    if (converted === undefined) {
      issues.push({ path: ['variables', name], message: `is a ${typeof value} here, and "${word}" is not` });
    }
    return [name, converted ?? value] as const;
  });
  return { values: Object.fromEntries(values), names: Object.keys(own), issues };
}

/** A word of a command line as a value of the same kind as another one. */
function convert(text: string, like: VariableValue): VariableValue | undefined {
  if (typeof like === 'string') return text;
  if (typeof like === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** A copy of the tables of a definition in which reading gives every text back, `${…}` included. */
export function escapeReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(reference, (found) => `$${found}`);
  if (Array.isArray(value)) return value.map(escapeReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replaceAll(reference, (found) => `$${found}`),
      key === 'keep' ? inner : escapeReferences(inner),
    ]),
  );
}

/** Replaces `${name}` by the value of the variable, and `$${name}` by `${name}`. */
export class Substitution {
  readonly #variables: Variables;
  /** The references to variables that do not exist. */
  readonly issues: Issue[] = [];

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** A copy of a value, with every text in it filled in; a text that is one reference takes the kind of its value. */
  fill(value: unknown, path: readonly PropertyKey[]): unknown {
    if (typeof value === 'string') return this.#fillText(value, path);
    if (Array.isArray(value)) return value.map((item: unknown, at) => this.fill(item, [...path, at]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.fill(inner, [...path, key])]),
    );
  }

  #fillText(text: string, path: readonly PropertyKey[]): unknown {
    const [, only] = /^\$\{([A-Za-z_]\w*)\}$/.exec(text) ?? [];
    if (only !== undefined) return this.#valueOf(only, path) ?? text;
    return text.replaceAll(reference, (found: string, dollars: string, name: string) =>
      dollars.length > 1 ? found.slice(1) : String(this.#valueOf(name, path) ?? found),
    );
  }

  #valueOf(name: string, path: readonly PropertyKey[]): VariableValue | undefined {
    if (Object.hasOwn(this.#variables, name)) return this.#variables[name];
    const known = Object.keys(this.#variables);
    const list = known.length === 0 ? 'there are none' : `known are ${known.join(', ')}`;
    const message = `has the unknown variable \${${name}}: ${list}; write $\${${name}} for the text itself`;
    this.issues.push({ path, message });
    return undefined;
  }
}
