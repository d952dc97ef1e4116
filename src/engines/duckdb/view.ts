import { identifier } from './quote.ts';

/** A table as an expression sees it: what is read, with some columns computed. */
export interface View {
  /** The FROM clause of the file. */
  readonly reading: string;
  /** Name by which an expression may call it. */
  readonly name: string;
  /** The columns that are used, each with its SQL: its own name, or what it is computed by. */
  readonly columns: ReadonlyMap<string, string>;
}

/** SQL of a view, for a FROM clause. */
export function viewSql({ reading, name, columns }: View): string {
  const computed = [...columns]
    .filter(([column, sql]) => sql !== identifier(column))
    .map(([column, sql]) => `${sql} AS ${identifier(column)}`);
  const replaced = computed.length === 0 ? '*' : `* REPLACE (${computed.join(', ')})`;
  return `(SELECT ${replaced} FROM ${reading}) AS ${identifier(name)}`;
}

/** Joins two views of one reading; undefined if they see a column in different ways. */
export function mergeViews(a: View, b: View): View | undefined {
  const columns = new Map(a.columns);
  for (const [column, sql] of b.columns) {
    if ((columns.get(column) ?? sql) !== sql) return undefined;
    columns.set(column, sql);
  }
  return { ...a, columns };
}
