import { acceptsNull, type Condition, conditionOf, type Criterion } from '../condition.ts';
import type { ColumnSql } from './column-sql.ts';
import { dateFormatCondition } from './rules/date-format.ts';
import { enumCondition } from './rules/enum.ts';
import { notNullCondition } from './rules/not-null.ts';
import { rangeCondition } from './rules/range.ts';
import { regexCondition } from './rules/regex.ts';

/** SQL that is true for a valid row, for the rules that look at one value at a time; NULL if it cannot be judged. */
export function valueCondition(criterion: Criterion, column: ColumnSql): string {
  const condition = conditionSql(conditionOf(criterion), column);
  return acceptsNull(criterion) ? `${column.isNull} OR (${condition})` : condition;
}

function conditionSql(condition: Condition, column: ColumnSql): string {
  switch (condition.type) {
    case 'NOT_NULL':
      return notNullCondition(column);
    case 'REGEX':
      return regexCondition(condition.pattern, column);
    case 'RANGE':
      return rangeCondition(condition, column);
    case 'ENUM':
      return enumCondition(condition, column);
    case 'DATE_FORMAT':
      return dateFormatCondition(condition, column);
  }
}
