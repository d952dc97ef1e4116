import { QueryError } from './query-error.ts';
import { ambiguousColumn, noColumn } from './reasons.ts';

/** Finds a column by its exact name, or the one that differs from it in case alone; throws a {@link QueryError}. */
export function findColumn<Column extends { readonly name: string }>(
  tablePath: string,
  columns: readonly Column[],
  wanted: string,
): Column {
  const exact = columns.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const similar = columns.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [only, ...others] = similar;
  if (only !== undefined && others.length === 0) return only;
  const names = (only === undefined ? columns : similar).map(({ name }) => name);
  throw new QueryError((only === undefined ? noColumn : ambiguousColumn)(tablePath, wanted, names));
}
