import type { MetricRecord } from '../../service/store.ts';
import type { Criterion } from '../condition.ts';
import type { DatabaseColumn, DatabaseTable } from './database.ts';
import type { ExpressionSyntax } from './expression.ts';

/**
 * The SQL of one database. An aggregate returns a double; a condition is true for a valid row, and false or null for
 * an invalid one.
 */
export interface Dialect {
  /** The aggregate that counts the rows. */
  readonly rowCount: string;
  /** What an expression of CUSTOM_SQL may look like. */
  readonly expression: ExpressionSyntax;
  /** Name of the boolean types. */
  readonly booleans: readonly string[];
  /** A table, for a FROM clause. */
  tableName(table: DatabaseTable): string;
  /** A name, quoted. */
  identifier(name: string): string;
  /** The condition of a rule that looks at one value at a time. */
  condition(rule: Criterion, column: DatabaseColumn): string;
  /** A query that fails if a pattern is not a regular expression. */
  patternProbe(pattern: string): string;
  /** Whether a column is null. */
  isNull(column: DatabaseColumn): string;
  /** A condition that is never null. */
  isTrue(condition: string): string;
  /** The aggregate that counts the rows for which a condition is not true. */
  invalidCount(condition: string): string;
  /** A query for the number of rows, and of those whose value another row has too. */
  uniqueCounts(table: DatabaseTable, column: DatabaseColumn, treatNullAsValid: boolean): string;
  /** The condition of UNIQUE, good for as many invalid rows as `limit`. */
  uniqueCondition(
    table: DatabaseTable,
    column: DatabaseColumn,
    options: { readonly treatNullAsValid: boolean; readonly limit: number },
  ): string;
  /** The aggregate of a metric: null if there is nothing to compute it from. */
  metric(
    metric: Pick<MetricRecord, 'metric_type' | 'percentile_value'>,
    column: DatabaseColumn | undefined,
  ): string;
  /** What rows of one group have in common: equal for equal values. */
  groupValue(column: DatabaseColumn): string;
  /** The smallest of some texts. */
  smallest(text: string): string;
  /** A value as text of bounded length, for {@link sampleValue}. */
  sample(column: DatabaseColumn): string;
  /** The value that a text of {@link sample} represents. */
  sampleValue(column: DatabaseColumn, text: unknown): unknown;
  /**
   * Aggregates for the newest time up to `latest` in ms since 1970, and the number of times after it, of values, and
   * of dates that can be read in two ways.
   */
  newest(column: DatabaseColumn, latest: number): readonly string[];
}
