import type * as z from 'zod/mini';

import { closest } from '../closest.ts';
import type { Issue } from '../contract/issue.ts';
import { asObject, fieldOf } from './json-value.ts';
import { textSchema } from './text-schema.ts';

type Path = readonly PropertyKey[];

/** Whether an issue is about a field that has no meaning in its place. */
export function isUnknown(message: string): boolean {
  return message.startsWith('is not known');
}

/** Adds the word that was probably meant to an issue about an unknown field or value. */
export function addSuggestion(definition: unknown, { path, message }: Issue): Issue {
  const written = isUnknown(message) ? path.at(-1) : at(definition, path);
  const words = isUnknown(message)
    ? fieldsAt(definition, path.slice(0, -1))
    : (/^must be one of (.*)$/.exec(message)?.[1]?.split(', ') ?? []);
  const meant = typeof written === 'string' ? meantBy(words, written) : [];
  const quoted = meant.map((word) => `"${word}"`).join(' or ');
  return { path, message: meant.length === 0 ? message : `${message}; did you mean ${quoted}?` };
}

/** The words that begin with what was written, if they are two, as it may be either; else the word most like it. */
function meantBy(known: readonly string[], written: string): string[] {
  const longer = known.filter((word) => written !== '' && word.startsWith(written));
  const near = closest(known, written);
  if (near === undefined) return [];
  return longer.length === 2 && longer.includes(near) ? longer : [near];
}

/** The fields that are allowed at a path. */
function fieldsAt(definition: unknown, path: Path): string[] {
  let schemas = optionsOf(textSchema, definition);
  for (const [depth, key] of path.entries()) {
    const value = at(definition, path.slice(0, depth + 1));
    schemas = schemas.flatMap((schema) => {
      const inner = innerOf(schema, String(key));
      return inner === undefined ? [] : optionsOf(inner, value);
    });
  }
  const fields = schemas.flatMap((schema) => Object.keys(shapeOf(schema)));
  // An entry that has a column can be written once for several.
  if (fields.includes('column_name')) fields.push('columns');
  return [...new Set(fields)];
}

/** The schema of what an object, a record or a list has under a key. */
function innerOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const kind = kindOf(schema);
  if (kind.type === 'record') return kind.valueType;
  return kind.type === 'array' ? kind.element : shapeOf(schema)[key];
}

/** The schemas of a union that the constants of a value, such as its type, leave open. */
function optionsOf(schema: z.core.$ZodType, value: unknown): z.core.$ZodType[] {
  const kind = kindOf(schema);
  if (kind.type === 'optional' || kind.type === 'nullable') return optionsOf(kind.innerType, value);
  if (kind.type !== 'union') return [schema];
  return kind.options.filter((option) =>
    Object.entries(shapeOf(option)).every(([name, property]) => {
      const constants = constantsOf(property);
      return constants.length !== 1 || constants[0] === fieldOf(asObject(value), name);
    }),
  );
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const kind = kindOf(schema);
  return kind.type === 'object' ? kind.shape : {};
}

function constantsOf(schema: z.core.$ZodType): readonly unknown[] {
  const kind = kindOf(schema);
  return kind.type === 'literal' ? kind.values : [];
}

/** Returns of which kind a schema is, and what it consists of. */
function kindOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  const { _zod: internals } = schema as z.core.$ZodTypes;
  return internals.def;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => fieldOf(asObject(inner), String(key)), value);
}
