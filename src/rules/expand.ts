import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import { intervalSchema } from '../contract/field.ts';
import type { Issue } from '../contract/issue.ts';
import { severities } from '../contract/vocabulary.ts';
import { fieldOf } from './difference.ts';
import { Substitution, type Variables } from './variables.ts';

type Path = readonly PropertyKey[];
type Json = Readonly<Record<string, unknown>>;

/** What a text may set once for all rules and metrics of a file or of a table. */
export const defaultsSchema = z.strictObject({
  severity: z.optional(z.enum(severities)),
  check_interval: z.optional(intervalSchema),
  capture_interval: z.optional(intervalSchema),
  alert_threshold_percent: z.optional(z.number().check(z.gte(0), z.lte(100))),
  treat_null_as_valid: z.optional(z.boolean()),
  sensitivity: z.optional(z.number()),
});

const defaultsOf = {
  rules: ['severity', 'check_interval', 'alert_threshold_percent', 'treat_null_as_valid'],
  metrics: ['capture_interval', 'sensitivity'],
} as const;

/** A definition without what only shortens its text. */
export interface Expanded {
  readonly value: unknown;
  /** What is wrong with that which shortens it, by the paths of the text. */
  readonly issues: readonly Issue[];
  /** Returns the path in the text of what the expanded definition has at a path. */
  readonly writtenAt: (path: Path) => Path;
}

/**
 * Fills in variables and defaults, and makes one entry for each of several columns. What is not of the right kind is
 * left as it is, for the schema of the definition to refuse.
 */
export function expand(written: unknown, variables: Variables): Expanded {
  if (!isObject(written)) return { value: written, issues: [], writtenAt: (path) => path };
  const substitution = new Substitution(variables);
  const issues: Issue[] = [];
  const { variables: _declared, environments: _environments, defaults, tables, ...rest } = written;
  const ofFile = readDefaults(defaults, ['defaults']);
  const writtenTables = new Map<string, string>();
  const places = new Map<string, { readonly at: number; readonly column?: number }[]>();
  const value = isObject(tables)
    ? { ...rest, tables: expandTables(tables) }
    : { ...rest, ...present({ tables }) };
  return { value, issues: [...issues, ...substitution.issues], writtenAt };

  function readDefaults(given: unknown, path: Path): Json {
    if (given === undefined) return {};
    const checked = check(defaultsSchema, substitution.fill(given, path));
    if ('value' in checked) return checked.value;
    for (const { path: inner, message } of checked.issues)
      issues.push({ path: [...path, ...inner], message });
    return {};
  }

  function expandTables(byName: Json): Json {
    const expanded = Object.entries(byName).map(([written_as, table]) => {
      const name = String(substitution.fill(written_as, ['tables', written_as]));
      const earlier = writtenTables.get(name);
      if (earlier !== undefined) {
        const message = `is the same table as ${earlier}`;
        issues.push({ path: ['tables', written_as], message });
      }
      writtenTables.set(name, written_as);
      return [name, isObject(table) ? expandTable(name, written_as, table) : table] as const;
    });
    return Object.fromEntries(expanded);
  }

  function expandTable(name: string, written_as: string, { defaults: given, ...table }: Json): Json {
    const path = ['tables', written_as];
    const ofTable = { ...ofFile, ...readDefaults(given, [...path, 'defaults']) };
    const lists = Object.entries(table).map(([kind, list]) => {
      if ((kind !== 'rules' && kind !== 'metrics') || !Array.isArray(list)) return [kind, list] as const;
      const entries = list.flatMap((entry: unknown, at) => {
        const defaultFields = defaultsOf[kind].map((field) => [field, fieldOf(ofTable, field)] as const);
        const shared = present(Object.fromEntries(defaultFields));
        return spread(substitution.fill(entry, [...path, kind, at]), [...path, kind, at]).map(
          (one, column) => ({
            entry: isObject(one) ? { ...shared, ...one } : one,
            place: { at, column },
          }),
        );
      });
      places.set(
        JSON.stringify([name, kind]),
        entries.map(({ place }) => place),
      );
      return [kind, entries.map(({ entry }) => entry)] as const;
    });
    return Object.fromEntries(lists);
  }

  /** One entry for each of the columns. */
  function spread(entry: unknown, path: Path): unknown[] {
    if (!isObject(entry) || !Object.hasOwn(entry, 'columns')) return [entry];
    const { columns, ...one } = entry;
    if (Object.hasOwn(one, 'column_name')) {
      issues.push({
        path: [...path, 'columns'],
        message: 'cannot stand beside column_name: write one of them',
      });
      return [];
    }
    if (!Array.isArray(columns) || columns.length === 0) {
      issues.push({ path: [...path, 'columns'], message: 'must be a list of one column or more' });
      return [];
    }
    return columns.map((column_name: unknown) => Object.assign({ column_name }, one));
  }

  function writtenAt(path: Path): Path {
    const [tablesKey, table, kind, index, ...inner] = path;
    if (tablesKey !== 'tables' || typeof table !== 'string') return path;
    const head = ['tables', writtenTables.get(table) ?? table];
    if (kind === undefined) return head;
    const place = places.get(JSON.stringify([table, kind]))?.[Number(index)];
    if (place === undefined) return [...head, ...path.slice(2)];
    const { at, column = 0 } = place;
    const entry: unknown = fieldOf(asObject(fieldOf(asObject(tables), String(head[1]))), String(kind));
    const hasColumns = Array.isArray(entry) && Object.hasOwn(asObject(entry[at]), 'columns');
    const field = hasColumns && inner[0] === 'column_name' ? ['columns', column] : inner;
    return [...head, kind, at, ...field];
  }
}

function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
