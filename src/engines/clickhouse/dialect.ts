import type { DatabaseTable } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { columnSql, sampleSql, sampleValue } from './column-sql.ts';
import { aggregateOf, rowCount } from './metric-sql.ts';
import { newestAggregates } from './newest-time.ts';
import { identifier } from './quote.ts';
import { expressionSyntax } from './rules/custom-sql.ts';
import { regexCondition } from './rules/regex.ts';
import { uniqueCondition, uniqueCountQuery } from './rules/unique.ts';
import { valueCondition } from './value-condition.ts';

/** The SQL of ClickHouse, in words that versions of the last eight years understand. */
export const dialect: Dialect = {
  rowCount,
  expression: expressionSyntax,
  // Older versions have no type for it.
  booleans: ['Bool', 'Nullable(Bool)', 'UInt8', 'Nullable(UInt8)'],
  identifier,
  tableName,
  condition: (rule, column) => valueCondition(rule, columnSql(column)),
  patternProbe: (pattern) => `SELECT ${regexCondition(pattern, { text: `materialize('')` })}`,
  isNull: (column) => columnSql(column).isNull,
  isTrue,
  invalidCount: (condition) => `toFloat64(count()) - toFloat64(countIf(${isTrue(condition)}))`,
  uniqueCounts: (table, column, treatNullAsValid) =>
    uniqueCountQuery(tableName(table), columnSql(column), treatNullAsValid),
  uniqueCondition: (table, column, options) => uniqueCondition(tableName(table), columnSql(column), options),
  metric: (metric, column) => aggregateOf(metric, column && columnSql(column)),
  groupValue: (column) => columnSql(column).value,
  smallest: (text) => `min(${text})`,
  sample: (column) => sampleSql(columnSql(column)),
  sampleValue: ({ base }, text) => sampleValue(base, text),
  newest: (column, latest) => newestAggregates(columnSql(column), latest),
};

function isTrue(condition: string): string {
  return `(ifNull((${condition}), 0) != 0)`;
}

function tableName({ schema, name }: DatabaseTable): string {
  return `${identifier(schema)}.${identifier(name)}`;
}
