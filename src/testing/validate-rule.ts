import { readDateFormat } from '../service/date-format.ts';
import type { FieldProblem } from '../service/evaluation.ts';
import type { RuleRecord } from '../service/store.ts';
import { refusePattern } from './regular-expression.ts';
import { refuseExpression } from './sql-expression.ts';

/** Refuses the patterns, date formats and expressions that the local service refuses. */
export function validateRule({ rule_type, rule_config }: Omit<RuleRecord, 'id'>): FieldProblem | undefined {
  const text = (name: string) => String(rule_config?.[name]);
  switch (rule_type) {
    case 'REGEX':
      return problem('rule_config.pattern', refusePattern(text('pattern')));
    case 'DATE_FORMAT': {
      const format = readDateFormat(text('format'));
      return problem('rule_config.format', typeof format === 'string' ? format : undefined);
    }
    case 'CUSTOM_SQL':
      return problem('rule_config.sql_expression', refuseExpression(text('sql_expression')));
    default:
      return undefined;
  }
}

function problem(field: string, error: string | undefined): FieldProblem | undefined {
  return error === undefined ? undefined : { field, error };
}
