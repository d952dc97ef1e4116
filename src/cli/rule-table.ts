import type { ValidityRule } from '../index.ts';
import { table } from './table.ts';

/** The rules of an asset as a table. */
export function ruleTable(rules: readonly ValidityRule[]): string {
  if (rules.length === 0) return 'No rules.';
  return table(
    ['RULE', 'NAME', 'TYPE', 'TABLE', 'COLUMN', 'SEVERITY', 'ACTIVE', 'INTERVAL'],
    rules.map((rule) => [
      rule.uuid,
      rule.name,
      rule.rule_type,
      rule.table_path,
      rule.column_name,
      rule.severity,
      yesOrNo(rule.is_active),
      rule.check_interval,
    ]),
  );
}

/** A boolean of the service in words; it may be missing. */
export function yesOrNo(value: boolean | null | undefined): string | undefined {
  return value === true ? 'yes' : value === false ? 'no' : undefined;
}
