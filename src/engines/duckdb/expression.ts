import { identifier } from './quote.ts';

/**
 * The syntax tree of `SELECT (<expression>)` as `json_serialize_sql` writes it; only what is looked at is named.
 */
interface Tree {
  readonly error: boolean;
  readonly error_message?: string;
  readonly statements?: readonly { readonly node: Record<string, unknown> }[];
}

/** A table an expression reads in a subquery. */
export interface TableReference {
  /** Its name as it is written: one to three parts. */
  readonly parts: readonly string[];
  readonly hasAlias: boolean;
  /** Where its name begins, in bytes of {@link statementOf}. */
  readonly position: number;
}

/** What an expression reads beside its row. */
export interface Needs {
  readonly hasSubquery: boolean;
  readonly hasWindow: boolean;
  /** Whether it names columns by their position. */
  readonly hasPosition: boolean;
  /** The names it uses, in lower case, those of its columns among them; undefined if it uses all columns. */
  readonly columns: ReadonlySet<string> | undefined;
  /** Those of the names that it does not qualify: if one is that of a table, it is the row as a whole. */
  readonly unqualified: ReadonlySet<string>;
  readonly tables: readonly TableReference[];
}

/** What an expression needs, or why it is refused. */
export type Inspection = Needs | { readonly refusal: string };

/** Table functions that only read what they are given, or a file, which DuckDB allows or denies by its path. */
const allowedTableFunctions = new Set([
  'generate_series',
  'json_each',
  'json_tree',
  'parquet_scan',
  'range',
  'read_csv',
  'read_csv_auto',
  'read_json',
  'read_json_auto',
  'read_ndjson',
  'read_ndjson_auto',
  'read_parquet',
  'repeat',
  'unnest',
]);

/** Functions that act, wait, or reveal something about the service instead of the data. */
const deniedFunctions = new Set([
  'current_query',
  'current_setting',
  'currval',
  'getenv',
  'getvariable',
  'nextval',
  'query',
  'query_table',
  'setseed',
  'sleep_ms',
  'write_log',
]);

const deniedNodes = new Set(['SHOW_REF', 'PIVOT', 'PIVOT_REF', 'COLUMN_DATA', 'BOUND_TABLE_REF']);

/** Views of the engine, which a name would find when no common table of this name is in scope. */
const engineView = /^(pg|duckdb|sqlite|pragma)_/i;

/** An expression as the only thing a statement selects. */
export function statementOf(expression: string): string {
  // The line end closes a comment that would swallow the bracket.
  return `SELECT (\n${expression}\n)`;
}

/** Looks at the syntax tree of {@link statementOf} and refuses whatever is not one expression that only reads data. */
export function inspectExpression(serialized: string): Inspection {
  const tree = JSON.parse(serialized) as Tree;
  if (tree.error) return { refusal: tree.error_message ?? 'it cannot be parsed' };
  const [statement, ...others] = tree.statements ?? [];
  if (statement === undefined || others.length > 0 || !selectsOneExpression(statement.node)) {
    return { refusal: 'it must be a single expression' };
  }
  const nodes = [...descendants(statement.node)];
  const refusal = nodes.map(refusalOf).find((reason) => reason !== undefined);
  if (refusal !== undefined) return { refusal };
  const common = new Set(nodes.flatMap(commonTableNames));
  return {
    hasSubquery: nodes.some((node) => node['class'] === 'SUBQUERY'),
    hasWindow: nodes.some((node) => node['class'] === 'WINDOW'),
    hasPosition: nodes.some((node) => node['class'] === 'POSITIONAL_REFERENCE'),
    columns: nodes.some((node) => node['class'] === 'STAR') ? undefined : new Set(nodes.flatMap(usedNames)),
    unqualified: new Set(nodes.map(usedNames).flatMap((names) => (names.length === 1 ? names : []))),
    tables: nodes.flatMap((node) => tableReference(node, common)),
  };
}

/** Whether an expression may see columns of its table that it does not name: all of them, or the row as a whole. */
export function seesWholeRow({ columns, hasPosition, unqualified }: Needs, table: string): boolean {
  return columns === undefined || hasPosition || unqualified.has(table.toLowerCase());
}

/** Replaces each table reference by what it reads. */
export function replaceTables(
  expression: string,
  replacements: readonly { readonly reference: TableReference; readonly reading: string }[],
): string {
  let rest = Buffer.from(statementOf(expression));
  let tail = '';
  for (const { reference, reading } of replacements.toSorted(
    (a, b) => b.reference.position - a.reference.position,
  )) {
    const { parts, hasAlias, position } = reference;
    const written = rest.subarray(position).toString();
    const end = tableName.exec(written)?.[0].length ?? 0;
    const alias = hasAlias ? '' : ` AS ${identifier(parts.at(-1) ?? '')}`;
    tail = `(SELECT * FROM ${reading})${alias}${written.slice(end)}${tail}`;
    rest = rest.subarray(0, position);
  }
  const statement = rest.toString() + tail;
  return statement.slice('SELECT '.length);
}

const namePart = String.raw`(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_$]*)`;
const tableName = new RegExp(String.raw`^${namePart}(?:\s*\.\s*${namePart})*`, 'u');

function selectsOneExpression(node: Record<string, unknown>): boolean {
  return (
    node['type'] === 'SELECT_NODE' &&
    Array.isArray(node['select_list']) &&
    node['select_list'].length === 1 &&
    isRecord(node['from_table']) &&
    node['from_table']['type'] === 'EMPTY' &&
    isRecord(node['cte_map']) &&
    isEmpty(node['cte_map']['map']) &&
    isEmpty(node['modifiers']) &&
    isEmpty(node['group_expressions']) &&
    ['where_clause', 'having', 'sample', 'qualify'].every((key) => node[key] === null)
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function refusalOf(node: Record<string, unknown>): string | undefined {
  const { class: kind, type, function_name: called } = node as Readonly<Record<string, unknown>>;
  if (kind === 'PARAMETER') return 'it must not contain a parameter';
  if (kind === 'FUNCTION' && typeof called === 'string' && deniedFunctions.has(called.toLowerCase())) {
    return `it must not call ${called}`;
  }
  if (typeof type === 'string' && deniedNodes.has(type)) return 'it may only read tables';
  if (type === 'TABLE_FUNCTION') {
    const name = isRecord(node['function']) ? String(node['function']['function_name']) : '';
    return allowedTableFunctions.has(name.toLowerCase()) ? undefined : `it must not read ${name}`;
  }
  const engineName = commonTableNames(node).find((name) => engineView.test(name));
  return engineName === undefined ? undefined : `it must not name a common table ${engineName}`;
}

function usedNames(node: Record<string, unknown>): string[] {
  const { class: kind, column_names: names } = node as Readonly<Record<string, unknown>>;
  return kind === 'COLUMN_REF' && Array.isArray(names) ? names.map((name) => String(name).toLowerCase()) : [];
}

function commonTableNames(node: Record<string, unknown>): string[] {
  const map = isRecord(node['cte_map']) ? node['cte_map']['map'] : undefined;
  return Array.isArray(map)
    ? map.flatMap((entry: unknown) =>
        isRecord(entry) && typeof entry['key'] === 'string' ? [entry['key'].toLowerCase()] : [],
      )
    : [];
}

function tableReference(node: Record<string, unknown>, common: ReadonlySet<string>): TableReference[] {
  if (node['type'] !== 'BASE_TABLE') return [];
  const parts = [node['catalog_name'], node['schema_name'], node['table_name']].filter(
    (part) => typeof part === 'string' && part !== '',
  ) as string[];
  if (parts.length === 1 && common.has(parts[0]?.toLowerCase() ?? '')) return [];
  return [{ parts, hasAlias: node['alias'] !== '', position: Number(node['query_location']) }];
}

function* descendants(value: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) {
    for (const item of value) yield* descendants(item);
  } else if (isRecord(value)) {
    yield value;
    for (const item of Object.values(value)) yield* descendants(item);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
