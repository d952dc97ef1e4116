import type { DatabaseTable } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { columnSql, sampleSql } from './column-sql.ts';
import { aggregateOf, rowCount } from './metric-sql.ts';
import { newestAggregates } from './newest-time.ts';
import { identifier } from './quote.ts';
import { expressionSyntax } from './rules/custom-sql.ts';
import { regexCondition } from './rules/regex.ts';
import { uniqueCondition, uniqueCountQuery } from './rules/unique.ts';
import { valueCondition } from './value-condition.ts';

/** The SQL of PostgreSQL. */
export const dialect: Dialect = {
  rowCount,
  expression: expressionSyntax,
  booleans: ['boolean'],
  identifier,
  tableName,
  condition: (rule, column) => valueCondition(rule, columnSql(column)),
  patternProbe: (pattern) => `SELECT ${regexCondition(pattern, { text: `''` })}`,
  isNull: (column) => columnSql(column).isNull,
  isTrue: (condition) => `((${condition}) IS TRUE)`,
  invalidCount: (condition) => `(count(*) - count(*) FILTER (WHERE ${condition}))::float8`,
  uniqueCounts: (table, column, treatNullAsValid) =>
    uniqueCountQuery(tableName(table), columnSql(column), treatNullAsValid),
  uniqueCondition: (table, column, options) => uniqueCondition(tableName(table), columnSql(column), options),
  metric: (metric, column) => aggregateOf(metric, column && columnSql(column)),
  groupValue: (column) => columnSql(column).value,
  smallest: (text) => `min(${text})`,
  sample: (column) => sampleSql(columnSql(column)),
  sampleValue: (_, text) => (typeof text === 'string' ? (JSON.parse(text) as unknown) : null),
  newest: (column, latest) => newestAggregates(columnSql(column), latest),
};

function tableName({ schema, name }: DatabaseTable): string {
  return `${identifier(schema)}.${identifier(name)}`;
}
