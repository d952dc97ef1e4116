import { defaultsOf } from './defaults.ts';
import type { Expansion, Path } from './expansion.ts';
import { fieldOf, isObject, type JsonObject, present } from './json-value.ts';

/** The entry of the text that an entry of the definition comes from, and the one of its `columns` if it has them. */
interface Origin {
  readonly index: number;
  readonly column?: number;
}

/** The tables of an asset without what only shortens their text. */
export interface ExpandedTables {
  readonly value: JsonObject;
  /** Returns the path in the text, below the asset, of what the definition has at a path. */
  readonly writtenAt: (path: Path) => Path;
}

/** Fills in the variables and defaults of tables, and makes one entry for each of several columns. */
export function expandTables(
  expansion: Expansion,
  tables: JsonObject,
  at: Path,
  defaults: JsonObject,
): ExpandedTables {
  const writtenNames = new Map<string, string>();
  const origins = new Map<string, readonly Origin[]>();
  const entries = Object.entries(tables).map(([written, table]) => {
    const path = [...at, 'tables', written];
    const name = String(expansion.fill(written, path));
    const earlier = writtenNames.get(name);
    if (earlier !== undefined) expansion.refuse(path, `is the same table as ${earlier}`);
    writtenNames.set(name, written);
    return [name, isObject(table) ? expandTable(name, path, table) : table] as const;
  });
  return { value: Object.fromEntries(entries), writtenAt };

  function expandTable(name: string, path: Path, { defaults: own, ...table }: JsonObject): JsonObject {
    const ofTable = { ...defaults, ...expansion.readDefaults(own, [...path, 'defaults']) };
    expansion.refuseDefaults(table, path);
    const fields = Object.entries(table).map(([kind, list]) => {
      if ((kind !== 'rules' && kind !== 'metrics') || !Array.isArray(list))
        return [kind, expansion.fill(list, [...path, kind])] as const;
      const shared = present(
        Object.fromEntries(defaultsOf[kind].map((field) => [field, fieldOf(ofTable, field)])),
      );
      const expanded = list.flatMap((entry: unknown, index) => {
        const place = [...path, kind, index];
        const filled = expansion.fill(entry, place);
        const isSpread = hasColumns(filled);
        return (isSpread ? spreadColumns(expansion, filled, place) : [filled]).map((one, column) => ({
          entry: isObject(one) ? { ...shared, ...one } : one,
          origin: { index, ...(isSpread && { column }) },
        }));
      });
      origins.set(
        listKey(name, kind),
        expanded.map(({ origin }) => origin),
      );
      return [kind, expanded.map(({ entry }) => entry)] as const;
    });
    return Object.fromEntries(fields);
  }

  function writtenAt(path: Path): Path {
    const [tablesKey, table, kind, index, ...inner] = path;
    if (tablesKey !== 'tables' || typeof table !== 'string') return path;
    const written = writtenNames.get(table) ?? table;
    const origin = origins.get(listKey(table, String(kind)))?.[Number(index)];
    if (origin === undefined) return ['tables', written, ...path.slice(2)];
    const { column } = origin;
    const field = column !== undefined && inner[0] === 'column_name' ? ['columns', column] : inner;
    return ['tables', written, ...path.slice(2, 3), origin.index, ...field];
  }
}

function listKey(table: string, kind: string): string {
  return JSON.stringify([table, kind]);
}

function hasColumns(entry: unknown): entry is JsonObject {
  return isObject(entry) && Object.hasOwn(entry, 'columns');
}

/** One entry for each of the columns of an entry. */
function spreadColumns(expansion: Expansion, { columns, ...one }: JsonObject, path: Path): unknown[] {
  const at = [...path, 'columns'];
  if (Object.hasOwn(one, 'column_name')) {
    expansion.refuse(at, 'cannot stand beside column_name: write one of them');
    return [];
  }
  if (!Array.isArray(columns) || columns.length === 0) {
    expansion.refuse(at, 'must be a list of one column or more');
    return [];
  }
  return columns.map((column_name: unknown) => Object.assign({ column_name }, one));
}
