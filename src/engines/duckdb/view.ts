import { identifier } from './quote.ts';

/** A table as an expression sees it: what is read, with some columns computed. */
export interface View {
  /** The FROM clause of the file. */
  readonly reading: string;
  /** Name by which an expression may call it. */
  readonly name: string;
  /** The columns that are used, each with its SQL: its own name, or what it is computed by. */
  readonly columns: ReadonlyMap<string, string>;
  /** Columns that are added, each with its SQL: in steps, each computed from the ones before. */
  readonly steps: readonly ReadonlyMap<string, string>[];
  /** Bytes of the file, if it is one of text, which takes long to read. */
  readonly textBytes?: number | undefined;
  /** Whether an expression may see the row as a whole: then nothing may be added to it. */
  readonly isExact?: boolean;
}

/** SQL of a view, for a FROM clause. */
export function viewSql({ reading, name, columns, steps }: View): string {
  const computed = [...columns]
    .filter(([column, sql]) => sql !== identifier(column))
    .map(([column, sql]) => named(column, sql));
  const replaced = computed.length === 0 ? '*' : `* REPLACE (${computed.join(', ')})`;
  let source = reading;
  for (const step of steps) {
    const added = [...step].map(([column, sql]) => named(column, sql));
    if (added.length > 0) source = `(SELECT *, ${added.join(', ')} FROM ${source})`;
  }
  return `(SELECT ${replaced} FROM ${source}) AS ${identifier(name)}`;
}

/** Joins two views of one reading; undefined if they see a column in different ways. */
export function mergeViews(a: View, b: View): View | undefined {
  if (a.isExact === true || b.isExact === true) return viewSql(a) === viewSql(b) ? a : undefined;
  const columns = new Map(a.columns);
  for (const [column, sql] of b.columns) {
    if ((columns.get(column) ?? sql) !== sql) return undefined;
    columns.set(column, sql);
  }
  return { ...a, columns, steps: mergeSteps([a.steps, b.steps]) };
}

/** Joins the steps of several columns or views: what has the same name is the same. */
export function mergeSteps(all: readonly View['steps'][]): View['steps'] {
  const count = Math.max(0, ...all.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) => new Map(all.flatMap((steps) => [...(steps[at] ?? [])])));
}

function named(column: string, sql: string): string {
  return `${sql} AS ${identifier(column)}`;
}
