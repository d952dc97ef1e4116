// Computes rules, metrics and freshness over data, one folder per engine.

/**
 * The room of the engines: what computes rules, metrics and freshness over data.
 *
 * Directly in this folder is what all engines have in common: what a rule asks of a value (here), how much is
 * returned (limits.ts) and in which words a failure is explained (reasons.ts). What a result means — thresholds,
 * statuses, anomalies — is the service's and no engine's.
 *
 * Each engine is a folder. `duckdb/` reads files: their tables and columns, one file per rule type with its SQL in
 * `rules/`, the aggregates of the metrics in `metric-sql.ts`, and an `evaluation.ts` that implements `Evaluation`.
 *
 * A database evaluates itself: `database/` knows what to ask of it, and each database is a folder that says how. To add
 * one (Snowflake, BigQuery, Trino), write the files of `postgres/` again with the same names: `dialect.ts` and what it
 * needs is its SQL, `catalog.ts` its tables, `driver.ts` its optional package, and the file of its own name sends
 * queries that only read and are bounded. Then name its address in `src/local/source-url.ts`, open it in
 * `src/local/sources.ts`, and add it to the conformance tests, which show when it is done: every rule and
 * metric counts the same rows as in a file.
 */
import { readDateFormat, type DateField } from '../service/date-format.ts';
import type { RuleRecord } from '../service/store.ts';

/** What a rule asks of each value that is not null. */
export type Condition =
  | { readonly type: 'NOT_NULL' }
  | { readonly type: 'REGEX'; readonly pattern: string }
  | { readonly type: 'RANGE'; readonly min: number | undefined; readonly max: number | undefined }
  | { readonly type: 'ENUM'; readonly numbers: readonly number[]; readonly texts: readonly string[] }
  | { readonly type: 'DATE_FORMAT'; readonly fields: readonly DateField[] };

/** The part of a rule that decides which rows are invalid. */
export type Criterion = Pick<RuleRecord, 'rule_type' | 'rule_config' | 'treat_null_as_valid'>;

/** Reads what a rule that looks at one value at a time asks of it. */
export function conditionOf({ rule_type, rule_config }: Criterion): Condition {
  const config = rule_config ?? {};
  switch (rule_type) {
    case 'NOT_NULL':
      return { type: rule_type };
    case 'REGEX':
      return { type: rule_type, pattern: String(config['pattern']) };
    case 'RANGE':
      return { type: rule_type, min: bound(config['min']), max: bound(config['max']) };
    case 'ENUM': {
      const allowed = allowedValues(config);
      return {
        type: rule_type,
        numbers: allowed.filter((value) => typeof value === 'number'),
        texts: allowed.filter((value) => typeof value === 'string' || typeof value === 'boolean').map(String),
      };
    }
    case 'DATE_FORMAT': {
      const format = readDateFormat(String(config['format']));
      // Only a rule of an older state can have a format that is refused today: nothing fits it.
      return { type: rule_type, fields: typeof format === 'string' ? [] : format.fields };
    }
    default:
      throw new TypeError(`${rule_type} does not look at one value at a time`);
  }
}

/** Whether a rule accepts null. */
export function acceptsNull({ rule_type, rule_config, treat_null_as_valid }: Criterion): boolean {
  if (rule_type === 'NOT_NULL') return false;
  return treat_null_as_valid || (rule_type === 'ENUM' && allowedValues(rule_config ?? {}).includes(null));
}

function bound(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function allowedValues(config: Readonly<Record<string, unknown>>): readonly unknown[] {
  const allowed = config['allowed_values'];
  return Array.isArray(allowed) ? allowed : [];
}
