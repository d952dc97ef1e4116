import { indistinctColumns } from '../reasons.ts';
import type { TableFile } from './catalog.ts';
import { type ColumnSql, columnSql, sharedColumn, type SourceColumn } from './column-sql.ts';
import type { DataSource } from './data-source.ts';
import { QueryError } from '../query-error.ts';
import type { KindFinder, KindGuess } from './find-kind.ts';
import type { Kind, Kinds } from './kind.ts';
import { ownNames } from './own-name.ts';
import { identifier } from './quote.ts';
import type { OpenTable, Tables } from './tables.ts';
import { mergeSteps, type View } from './view.ts';

/** A column of an expression, with the kinds that it may be read as, the best one first. */
export interface TypedColumn {
  readonly column: SourceColumn;
  readonly kinds: readonly [Kind, ...Kind[]];
  /** What shows that the best kind is right, if it is a guess. */
  readonly guess: KindGuess | undefined;
}

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
  findKind: KindFinder,
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
      const { kind, guess } = await findKind(file, table, column);
      return { column, kinds: kindsFrom(kind), guess };
    }),
  );
  return { ...table, file, undecided };
}

/** A table with its columns as certain kinds, and with no other columns. */
export function kindView({ reading, file }: TypedTable, kinds: Kinds): View {
  const columns = new Map<string, string>();
  for (const [column, kind] of kinds)
    columns.set(column.readAs, ofKind(column.readAs, columnSql(column), kind));
  return { reading: reading.sql, name: file.name, columns, steps: [], isExact: true };
}

/** The same, with the columns that it shares with conditions of other rules. */
export function sharedKindView({ reading, file, columns: all, textBytes }: TypedTable, kinds: Kinds): View {
  const columns = new Map<string, string>();
  const shared = [...kinds].map(([column, kind]) => {
    const { sql, steps } = sharedColumn(column, ownNames(all));
    columns.set(column.readAs, ofKind(column.readAs, sql, kind));
    return steps;
  });
  return { reading: reading.sql, name: file.name, columns, steps: mergeSteps(shared), textBytes };
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

function ofKind(name: string, { text, number }: ColumnSql, kind: Kind): string {
  if (kind === 'text') return identifier(name);
  if (kind === 'number') return number;
  const cast = `TRY_CAST(${text} AS ${typeOf[kind]})`;
  return kind === 'whole' ? `CASE WHEN ${number} IS NOT NULL THEN ${cast} END` : cast;
}
