import type * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import type { Issue } from '../contract/issue.ts';
import { defaultsSchema } from './defaults.ts';
import type { JsonObject } from './json-value.ts';
import { Substitution, type Variables } from './variables.ts';

/** A place in the text or in the definition. */
export type Path = readonly PropertyKey[];

/** A text that is being expanded: the variables it may use, and what is wrong with it so far. */
export class Expansion {
  readonly #substitution: Substitution;
  readonly #issues: Issue[] = [];

  constructor(variables: Variables) {
    this.#substitution = new Substitution(variables);
  }

  /** What is wrong with that which shortens the text. */
  get issues(): readonly Issue[] {
    return [...this.#issues, ...this.#substitution.issues];
  }

  refuse(path: Path, message: string): void {
    this.#issues.push({ path, message });
  }

  /** A copy of a value with its variables filled in. */
  fill(value: unknown, path: Path): unknown {
    return this.#substitution.fill(value, path);
  }

  /** Reads what has to be known before the definition is whole; `undefined` if it is refused. */
  readPart<Value>(schema: z.core.$ZodType<Value>, given: unknown, path: Path): Value | undefined {
    const checked = check(schema, this.fill(given, path));
    if ('value' in checked) return checked.value;
    for (const { path: inner, message } of checked.issues) this.refuse([...path, ...inner], message);
    return undefined;
  }

  /** Reads the defaults of a file, an asset or a table. */
  readDefaults(given: unknown, path: Path): JsonObject {
    return given === undefined ? {} : (this.readPart(defaultsSchema, given, path) ?? {});
  }

  /** Refuses what `defaults` may set and is written beside it. */
  refuseDefaults(fields: JsonObject, path: Path): void {
    for (const field of Object.keys(fields).filter((key) => Object.hasOwn(defaultsSchema.shape, key)))
      this.refuse([...path, field], 'is not known here; write it below defaults');
  }
}
