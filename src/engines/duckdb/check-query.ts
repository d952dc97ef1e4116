import { type View, viewSql } from './view.ts';

/** The SQL of a check: where the rows come from, and what is asked of each. */
export interface Checked {
  /** The table as the condition sees it. */
  readonly view: View;
  /** The table with the 0-based row of the file, as the condition and the sample see it. */
  readonly sampledView: View;
  /** SQL of that row; undefined if the condition must not see it: then rows are counted behind the condition. */
  readonly row: string | undefined;
  /** True for a valid row; false or NULL for an invalid one. */
  readonly valid: string;
  /** Aggregate that counts the valid rows; default: those for which `valid` is true. */
  readonly validCount?: string;
  /** The value of a sample, as JSON text. */
  readonly sample: string;
  /** Whether rows keep the order of the file while they are read, so that the first samples end the reading. */
  readonly ordered: boolean;
}

/** Aggregates that count the rows, and those that are invalid. */
export function countAggregates({ valid, validCount }: Checked): readonly string[] {
  // Counting the valid ones is quicker than asking of each row whether it is not, and CASE is quicker than FILTER.
  const count = validCount ?? `count(CASE WHEN ${valid} THEN 1 END)`;
  return ['count(*)::DOUBLE', `(count(*) - ${count})::DOUBLE`];
}

/** Counts as {@link countAggregates} does, for a condition that no aggregate may contain: a window or a subquery. */
export function countQuery({ view, valid }: Checked): string {
  return `SELECT count(*)::DOUBLE, (count(*) - count(*) FILTER (WHERE __dq_valid))::DOUBLE
    FROM (SELECT (${valid}) AS __dq_valid FROM ${viewSql(view)})`;
}

/** Lists the first invalid rows of the file. */
export function sampleQuery({ sampledView, row, valid, sample, ordered }: Checked, limit: number): string {
  const values = `${sample} AS __dq_sample, (${valid}) IS NOT TRUE AS __dq_invalid`;
  const rows =
    row === undefined
      ? `SELECT *, row_number() OVER () - 1 AS __dq_row FROM (SELECT ${values} FROM ${viewSql(sampledView)})`
      : `SELECT ${row} AS __dq_row, ${values} FROM ${viewSql(sampledView)}`;
  return `SELECT __dq_row::DOUBLE, __dq_sample FROM (${rows}) WHERE __dq_invalid ${ordered ? '' : 'ORDER BY __dq_row'} LIMIT ${limit}`;
}

/** Aggregate that lists the first invalid rows as JSON, for a condition that may see the row of the file. */
export function sampleAggregate({ row, valid, sample }: Checked, limit: number): string {
  const isInvalid = `(${valid}) IS NOT TRUE`;
  // The filter comes after what it filters, so that alone it would not spare the sample of each valid row.
  const entry = `CASE WHEN ${isInvalid} THEN {'row': ${row}, 'json': ${sample}} END`;
  return `to_json(min(${entry}, ${limit}) FILTER (WHERE ${isInvalid}))::VARCHAR`;
}
