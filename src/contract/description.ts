import { type Issue, kindOf, expectedOther } from './issue.ts';

/** What a field must be: a JSON type, or a list of objects. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'object' | readonly [AnyDescription];

/**
 * What an object of a response must be, as plain data. Only the fields that a path or a decision needs are named: one
 * odd field that is merely shown must not cost the response.
 */
export interface Description<Value> {
  /** Fields that must be there. */
  readonly required?: { readonly [Name in keyof Value]?: FieldKind };
  /** Fields that can also be null or missing. */
  readonly nullable?: { readonly [Name in keyof Value]?: FieldKind };
}

/** A description, whatever it is of. */
export interface AnyDescription {
  readonly required?: Readonly<Record<string, FieldKind | undefined>>;
  readonly nullable?: Readonly<Record<string, FieldKind | undefined>>;
}

/** Describes an object that can lack any of its fields. */
export function partial<Value>({ required, nullable }: Description<Value>): Description<Partial<Value>> {
  return { nullable: { ...required, ...nullable } };
}

/** Returns whatever of a value is not as described. */
export function findMismatches({ required, nullable }: AnyDescription, whole: unknown): Issue[] {
  if (kindOf(whole) !== 'object') return [{ path: [], message: expectedOther('object', whole) }];
  const fields = whole as Readonly<Record<string, unknown>>;
  const issues: Issue[] = [];
  // Over the names alone, as this runs for each item of a list.
  for (const name in required) findInField(required[name], name, fields[name], issues);
  for (const name in nullable) {
    const value = fields[name];
    if (value !== null && value !== undefined) findInField(nullable[name], name, value, issues);
  }
  return issues;
}

/** Returns whatever of a list of objects is not as described. */
export function findListMismatches(description: AnyDescription, value: unknown): Issue[] {
  if (!Array.isArray(value)) return [{ path: [], message: expectedOther('array', value) }];
  const issues: Issue[] = [];
  for (let index = 0; index < value.length; index++) {
    const found = findMismatches(description, value[index]);
    if (found.length > 0) issues.push(...below(index, found));
  }
  return issues;
}

function findInField(kind: FieldKind | undefined, name: string, value: unknown, issues: Issue[]): void {
  if (value === undefined) issues.push({ path: [name], message: 'is missing' });
  else if (typeof kind === 'object') issues.push(...below(name, findListMismatches(kind[0], value)));
  else if (kindOf(value) !== kind) issues.push({ path: [name], message: expectedOther(String(kind), value) });
}

function below(name: PropertyKey, issues: readonly Issue[]): readonly Issue[] {
  return issues.map(({ path, message }) => ({ path: [name, ...path], message }));
}
