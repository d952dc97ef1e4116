import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import { intervalSchema, nonEmptyText } from '../contract/field.ts';
import type { Issue } from '../contract/issue.ts';
import { severities } from '../contract/vocabulary.ts';
import { destinationsSchema } from './definition.ts';
import { fieldOf } from './difference.ts';
import { Substitution, type Variables } from './variables.ts';

type Path = readonly PropertyKey[];
type Json = Readonly<Record<string, unknown>>;

/** What a text may set once for all rules and metrics of a file, of an asset or of a table. */
export const defaultsSchema = z.strictObject({
  severity: z.optional(z.enum(severities)),
  check_interval: z.optional(intervalSchema),
  capture_interval: z.optional(intervalSchema),
  alert_threshold_percent: z.optional(z.number().check(z.gte(0), z.lte(100))),
  treat_null_as_valid: z.optional(z.boolean()),
  sensitivity: z.optional(z.number()),
  owner: z.optional(nonEmptyText),
  tags: z.optional(z.array(nonEmptyText)),
});

const defaultsOf = {
  rules: ['severity', 'check_interval', 'alert_threshold_percent', 'treat_null_as_valid', 'owner', 'tags'],
  metrics: ['capture_interval', 'sensitivity', 'owner', 'tags'],
} as const;

/** The definition of one asset without what only shortens its text. */
export interface Expanded {
  /** The id of the asset; null if the text does not name assets. */
  readonly asset: string | null;
  readonly value: unknown;
  /** Returns the path in the text of what the expanded definition has at a path. */
  readonly writtenAt: (path: Path) => Path;
}

/** A text of which each asset is expanded. */
export interface ExpandedText {
  readonly assets: readonly Expanded[];
  /** What is wrong with that which shortens it, by the paths of the text. */
  readonly issues: readonly Issue[];
}

/**
 * Fills in variables and defaults, and makes one entry for each of several columns. What is not of the right kind is
 * left as it is, for the schema of the definition to refuse.
 */
export function expand(written: unknown, variables: Variables): ExpandedText {
  if (!isObject(written)) {
    return { assets: [{ asset: null, value: written, writtenAt: (path) => path }], issues: [] };
  }
  const substitution = new Substitution(variables);
  const issues: Issue[] = [];
  const { variables: _declared, environments: _environments, defaults, assets, ...rest } = written;
  const ofFile = readDefaults(defaults, ['defaults']);
  const expanded =
    assets === undefined ? [expandAsset(null, rest, [], ofFile)] : expandAssets(assets, rest, ofFile);
  return { assets: expanded, issues: [...issues, ...substitution.issues] };

  /** What `defaults` may set is easily written beside it. */
  function refuseDefaults(fields: Json, path: Path): void {
    for (const field of Object.keys(fields).filter((key) => Object.hasOwn(defaultsSchema.shape, key))) {
      issues.push({ path: [...path, field], message: 'is not known here; write it below defaults' });
    }
  }

  function readDefaults(given: unknown, path: Path): Json {
    return given === undefined ? {} : (readPart(defaultsSchema, given, path) ?? {});
  }

  function readPart<Value>(schema: z.core.$ZodType<Value>, given: unknown, path: Path): Value | undefined {
    const checked = check(schema, substitution.fill(given, path));
    if ('value' in checked) return checked.value;
    for (const { path: inner, message } of checked.issues)
      issues.push({ path: [...path, ...inner], message });
    return undefined;
  }

  function expandAssets(byId: unknown, { destinations, ...others }: Json, outer: Json): Expanded[] {
    for (const key of Object.keys(others)) {
      const message = ['tables', 'keep', 'freshness'].includes(key)
        ? 'cannot stand beside assets: write it below one of them'
        : 'is not known';
      issues.push({ path: [key], message });
    }
    if (!isObject(byId) || Object.keys(byId).length === 0) {
      issues.push({ path: ['assets'], message: 'must have one asset or more, by their ids' });
      return [];
    }
    const shared =
      destinations === undefined
        ? {}
        : present({ destinations: readPart(destinationsSchema, destinations, ['destinations']) });
    return Object.entries(byId).map(([written_as, body]) => {
      const path = ['assets', written_as];
      const asset = String(substitution.fill(written_as, path));
      if (!isObject(body)) return { asset, value: body, writtenAt: (inner) => [...path, ...inner] };
      const { defaults: own, ...fields } = body;
      if (Object.hasOwn(fields, 'destinations')) {
        const message = 'is not of one asset: write it above the assets';
        issues.push({ path: [...path, 'destinations'], message });
      }
      const within = { ...outer, ...readDefaults(own, [...path, 'defaults']) };
      return expandAsset(asset, { ...fields, ...shared }, path, within);
    });
  }

  function expandAsset(asset: string | null, body: Json, at: Path, outer: Json): Expanded {
    const { tables, keep, ...others } = body;
    refuseDefaults(others, at);
    const filled = Object.fromEntries(
      Object.entries(others).map(([key, value]) => [key, substitution.fill(value, [...at, key])]),
    );
    const writtenTables = new Map<string, string>();
    const places = new Map<string, { readonly at: number; readonly column?: number }[]>();
    const value = {
      ...filled,
      ...present({ keep, tables: isObject(tables) ? expandTables(tables) : tables }),
    };
    return { asset, value, writtenAt: (path) => [...at, ...writtenAt(path)] };

    function expandTables(byName: Json): Json {
      const entries = Object.entries(byName).map(([written_as, table]) => {
        const path = [...at, 'tables', written_as];
        const name = String(substitution.fill(written_as, path));
        const earlier = writtenTables.get(name);
        if (earlier !== undefined) issues.push({ path, message: `is the same table as ${earlier}` });
        writtenTables.set(name, written_as);
        return [name, isObject(table) ? expandTable(name, path, table) : table] as const;
      });
      return Object.fromEntries(entries);
    }

    function expandTable(name: string, path: Path, { defaults: given, ...table }: Json): Json {
      const ofTable = { ...outer, ...readDefaults(given, [...path, 'defaults']) };
      refuseDefaults(table, path);
      const lists = Object.entries(table).map(([kind, list]) => {
        if ((kind !== 'rules' && kind !== 'metrics') || !Array.isArray(list))
          return [kind, substitution.fill(list, [...path, kind])] as const;
        const entries = list.flatMap((entry: unknown, index) => {
          const defaultFields = defaultsOf[kind].map((field) => [field, fieldOf(ofTable, field)] as const);
          const shared = present(Object.fromEntries(defaultFields));
          const place = [...path, kind, index];
          return spread(substitution.fill(entry, place), place).map((one, column) => ({
            entry: isObject(one) ? { ...shared, ...one } : one,
            place: { at: index, column },
          }));
        });
        places.set(
          JSON.stringify([name, kind]),
          entries.map(({ place }) => place),
        );
        return [kind, entries.map(({ entry }) => entry)] as const;
      });
      return Object.fromEntries(lists);
    }

    function writtenAt(path: Path): Path {
      const [tablesKey, table, kind, index, ...inner] = path;
      if (tablesKey !== 'tables' || typeof table !== 'string') return path;
      const head = ['tables', writtenTables.get(table) ?? table];
      if (kind === undefined) return head;
      const place = places.get(JSON.stringify([table, kind]))?.[Number(index)];
      if (place === undefined) return [...head, ...path.slice(2)];
      const { at: entryAt, column = 0 } = place;
      const list: unknown = fieldOf(asObject(fieldOf(asObject(tables), String(head[1]))), String(kind));
      const hasColumns = Array.isArray(list) && Object.hasOwn(asObject(list[entryAt]), 'columns');
      const field = hasColumns && inner[0] === 'column_name' ? ['columns', column] : inner;
      return [...head, kind, entryAt, ...field];
    }
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
