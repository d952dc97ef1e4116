import type { ColumnSql } from './column-sql.ts';
import { valueConditionOf } from '../value-condition.ts';
import { dateFormatCondition } from './rules/date-format.ts';
import { enumCondition } from './rules/enum.ts';
import { notNullCondition } from './rules/not-null.ts';
import { rangeCondition } from './rules/range.ts';
import { regexCondition } from './rules/regex.ts';

/** SQL that is true for a valid row, for the rules that look at one value at a time; NULL if it cannot be judged. */
export const valueCondition = valueConditionOf<ColumnSql>({
  notNull: notNullCondition,
  regex: regexCondition,
  range: rangeCondition,
  enum: enumCondition,
  dateFormat: dateFormatCondition,
});
