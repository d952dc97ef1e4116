import { acceptsNull, type Condition, conditionOf, type Criterion } from './condition.ts';

/** The SQL of an engine for each rule that looks at one value at a time: true for a valid value. */
export interface ConditionSql<Column> {
  readonly notNull: (column: Column) => string;
  readonly regex: (pattern: string, column: Column) => string;
  readonly range: (condition: Condition & { readonly type: 'RANGE' }, column: Column) => string;
  readonly enum: (condition: Condition & { readonly type: 'ENUM' }, column: Column) => string;
  readonly dateFormat: (condition: Condition & { readonly type: 'DATE_FORMAT' }, column: Column) => string;
}

/**
 * Returns what makes SQL that is true for a valid row, for the rules that look at one value at a time; the SQL is NULL
 * if the row cannot be judged.
 */
export function valueConditionOf<Column extends { readonly isNull: string }>(
  sql: ConditionSql<Column>,
): (criterion: Criterion, column: Column) => string {
  const conditionSql = (condition: Condition, column: Column): string => {
    switch (condition.type) {
      case 'NOT_NULL':
        return sql.notNull(column);
      case 'REGEX':
        return sql.regex(condition.pattern, column);
      case 'RANGE':
        return sql.range(condition, column);
      case 'ENUM':
        return sql.enum(condition, column);
      case 'DATE_FORMAT':
        return sql.dateFormat(condition, column);
    }
  };
  return (criterion, column) => {
    const condition = conditionSql(conditionOf(criterion), column);
    return acceptsNull(criterion) ? `${column.isNull} OR (${condition})` : condition;
  };
}
