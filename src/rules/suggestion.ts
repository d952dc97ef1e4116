import { closest } from '../closest.ts';
import type { Issue } from '../contract/issue.ts';
import { asObject, fieldOf } from './json-value.ts';
import { definitionJsonSchema } from './json-schema.ts';

type Path = readonly PropertyKey[];

/** Whether an issue is about a field that has no meaning in its place. */
export function isUnknown(message: string): boolean {
  return message.startsWith('is not known');
}

/** Adds the word that was probably meant to an issue about an unknown field or value. */
export function addSuggestion(definition: unknown, { path, message }: Issue): Issue {
  const written = isUnknown(message) ? path.at(-1) : at(definition, path);
  const known = isUnknown(message)
    ? fieldsAt(definition, path.slice(0, -1))
    : (/^must be one of (.*)$/.exec(message)?.[1]?.split(', ') ?? []);
  const meant = typeof written === 'string' ? meantBy(known, written) : [];
  const words = meant.map((word) => `"${word}"`).join(' or ');
  return { path, message: meant.length === 0 ? message : `${message}; did you mean ${words}?` };
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
  let schemas = optionsOf(definitionJsonSchema(), definition);
  for (const [depth, key] of path.entries()) {
    const value = at(definition, path.slice(0, depth + 1));
    schemas = schemas.flatMap((schema) => {
      const own = fieldOf(asObject(fieldOf(schema, 'properties')), String(key));
      const inner = own ?? fieldOf(schema, typeof key === 'number' ? 'items' : 'additionalProperties');
      return optionsOf(inner, value);
    });
  }
  return [...new Set(schemas.flatMap((schema) => Object.keys(asObject(fieldOf(schema, 'properties')))))];
}

/** The schemas of a union that the constants of a value, such as its type, leave open. */
function optionsOf(schema: unknown, value: unknown): object[] {
  const options = fieldOf(asObject(schema), 'oneOf') ?? fieldOf(asObject(schema), 'anyOf');
  const hasFields = Object.hasOwn(asObject(schema), 'properties');
  if (!Array.isArray(options) || hasFields) return [asObject(schema)];
  return options.map(asObject).filter((option) =>
    Object.entries(asObject(fieldOf(option, 'properties'))).every(([name, property]) => {
      const constant = fieldOf(asObject(property), 'const');
      return constant === undefined || constant === fieldOf(asObject(value), name);
    }),
  );
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => fieldOf(asObject(inner), String(key)), value);
}
