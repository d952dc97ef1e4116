import { indistinctColumns } from '../reasons.ts';
import type { TableFile } from './catalog.ts';
import { columnSql, sharedColumn, type SourceColumn } from './column-sql.ts';
import type { DataSource } from './data-source.ts';
import { QueryError } from '../query-error.ts';
import { computeAbout } from './explain.ts';
import { identifier } from './quote.ts';
import type { OpenTable, Tables } from './tables.ts';
import type { View } from './view.ts';

/**
 * How an expression sees the text of a csv or JSON.
 *
 * A column is read as numbers, times or booleans if more than half of its values are that; a value that is not is then
 * null, and so its row is not valid. With exactly half or less, or without a value, the column is text. If the
 * expression does not allow that type (`v > 0` over a file that has only its header, `v <> 'n/a'` over numbers), the
 * first of the other types that it does allow is taken. So a header, a column of nulls and one `n/a` among a thousand
 * numbers behave alike, and no row of data decides whether a rule can be evaluated.
 */
export type Kind = 'text' | 'whole' | 'number' | 'date' | 'time' | 'boolean';

/** A column of an expression, with the kinds that it may be read as, the best one first. */
export interface TypedColumn {
  readonly column: SourceColumn;
  readonly kinds: readonly [Kind, ...Kind[]];
}

/** The kind of each column that is not read with its own type. */
export type Kinds = ReadonlyMap<SourceColumn, Kind>;

/** A table as an expression sees it. */
export interface TypedTable extends OpenTable {
  readonly file: TableFile;
  /** The columns of the expression whose type the data decides. */
  readonly undecided: readonly TypedColumn[];
}

/** Opens a table for an expression that uses `names`, or all columns if that is undefined. */
export async function openTyped(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  names: ReadonlySet<string> | undefined,
): Promise<TypedTable> {
  const table = await source.finder.open(tables, file);
  const isUsed = ({ readAs, name }: SourceColumn): boolean =>
    names === undefined || names.has(readAs.toLowerCase()) || names.has(name.toLowerCase());
  const used = table.columns.filter(isUsed);
  for (const { name } of names === undefined ? [] : used) {
    const alike = table.columns.filter((other) => other.name.toLowerCase() === name.toLowerCase());
    if (alike.length > 1) {
      const written = alike.map((column) => column.name);
      throw new QueryError(indistinctColumns(file.tablePath, written));
    }
  }
  const open = used.filter(
    ({ type }) => file.format !== 'parquet' && (type === 'VARCHAR' || type === 'JSON'),
  );
  const undecided = await Promise.all(
    open.map(async (column) => {
      const best = await source.finder.remember(file, `kind of ${column.readAs}`, async () =>
        kindOf(source, tables, file, table.reading.sql, column),
      );
      return { column, kinds: kindsFrom(best) };
    }),
  );
  return { ...table, file, undecided };
}

/** A table with its columns as certain kinds. */
export function kindView({ reading }: Pick<OpenTable, 'reading'>, kinds: Kinds, name: string): View {
  const columns = [...kinds].map(([column, kind]) => [column.readAs, ofKind(column, kind)] as const);
  return { reading: reading.sql, name, columns: new Map(columns), steps: [] };
}

/** A column as {@link kindView} gives it. */
export function kindColumn(column: SourceColumn, kind: Kind | undefined): SourceColumn {
  return kind === undefined || kind === 'text' ? column : { ...column, type: typeOf[kind] };
}

/** SQL of one row of a type, to find out whether an expression can be evaluated, without reading a file. */
export function probeReading({ columns }: OpenTable, kinds: Kinds): string {
  const values = columns.map((column) => {
    const { type, readAs } = kindColumn(column, kinds.get(column));
    // With a value, a constant that cannot be compared with it is an error; without one nobody would look.
    const value = /^(?:BIGINT|DOUBLE)$/.test(type) ? '1' : 'NULL';
    return `${value}::${type} AS ${identifier(readAs)}`;
  });
  return `(SELECT ${values.join(', ')})`;
}

const typeOf: Readonly<Record<Kind, string>> = {
  text: 'VARCHAR',
  whole: 'BIGINT',
  number: 'DOUBLE',
  date: 'DATE',
  time: 'TIMESTAMP',
  boolean: 'BOOLEAN',
};

function kindsFrom(best: Kind): readonly [Kind, ...Kind[]] {
  const others: readonly Kind[] = ['text', 'number', 'time', 'boolean'];
  const isSame = (kind: Kind): boolean => kind === best || (kind === 'number' && best === 'whole');
  return [best, ...others.filter((kind) => !isSame(kind))];
}

function ofKind(column: SourceColumn, kind: Kind): string {
  const { text, number } = columnSql(column);
  if (kind === 'text') return identifier(column.readAs);
  if (kind === 'number') return number;
  const cast = `TRY_CAST(${text} AS ${typeOf[kind]})`;
  return kind === 'whole' ? `CASE WHEN ${number} IS NOT NULL THEN ${cast} END` : cast;
}

async function kindOf(
  { engine }: DataSource,
  tables: Tables,
  file: TableFile,
  reading: string,
  column: SourceColumn,
): Promise<Kind> {
  const { sql, steps } = sharedColumn(column);
  const { text, number, value } = sql;
  const isOther = `${number} IS NULL`;
  const columns = new Map([[column.readAs, identifier(column.readAs)]]);
  const view = { reading, name: file.name, columns, steps };
  const [counted, numbers, wholes, times, dates, booleans] = await computeAbout(engine, tables, file, view, [
    `count(${value})::DOUBLE`,
    `count(${number})::DOUBLE`,
    countIf(`${number} IS NOT NULL`, `regexp_full_match(${text}, '[+-]?[0-9]{1,18}')`),
    `count(CASE WHEN ${isOther} AND ${mayBeTime(text)} THEN TRY_CAST(${text} AS TIMESTAMP) END)::DOUBLE`,
    countIf(isOther, `${text} < ':'`, `regexp_full_match(${text}, '[0-9]{4}-[0-9]{2}-[0-9]{2}')`),
    countIf(isOther, `${text} BETWEEN 'F' AND 'u'`, `lower(${text}) IN ('true', 'false')`),
  ]);
  const isMost = (count: unknown): boolean => Number(count) * 2 > Number(counted);
  if (isMost(numbers)) return wholes === numbers ? 'whole' : 'number';
  if (isMost(times)) return dates === times ? 'date' : 'time';
  return isMost(booleans) ? 'boolean' : 'text';
}

/** Counts the rows that meet all conditions: each looked at only for what the one before has left over, as by no FILTER. */
function countIf(...conditions: readonly string[]): string {
  return `count(CASE WHEN ${conditions.join(' AND ')} THEN 1 END)::DOUBLE`;
}

/**
 * Whether a text may be a time, found more cheaply than by an attempt to read it: it begins with a digit, a sign or a
 * blank and has a separator, or it begins like a word for a time.
 */
function mayBeTime(text: string): string {
  const isWritten = `${text} < ':' AND regexp_matches(${text}, '[-/\\\\\\s\\v]')`;
  return `(${isWritten} OR ${text}[1] IN ('e', 'E', 'i', 'I'))`;
}
