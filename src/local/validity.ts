import type { InvalidSample } from '../contract/index.ts';
import type { CheckCounts, FieldProblem } from '../service/evaluation.ts';
import type { RuleRecord } from '../service/store.ts';
import type { TableFile } from './catalog.ts';
import { inspect, prepareExpression } from './custom-sql.ts';
import { type DataSource, openColumns } from './data-source.ts';
import { readDateFormat } from './date-format.ts';
import { type Engine, QueryError } from './engine.ts';
import { literal } from './quote.ts';
import { rowNumber } from './reading.ts';
import { findTable, type Tables } from './tables.ts';
import {
  type Checked,
  countQuery,
  invalidCondition,
  repeatedCondition,
  sampleQuery,
  uniqueCountQuery,
} from './validity-sql.ts';

/** Most samples a check returns, whatever is asked for. */
const mostSamples = 10_000;

/** Refuses a rule that could never be evaluated, whatever the data (interface: Validity, rule 1). */
export async function validateRule(
  engine: Engine,
  { rule_type, rule_config }: Omit<RuleRecord, 'id'>,
): Promise<FieldProblem | undefined> {
  const config = rule_config ?? {};
  switch (rule_type) {
    case 'REGEX': {
      const pattern = literal(String(config['pattern']));
      const error = await refusal(async () => engine.query([], `SELECT regexp_matches('', ${pattern})`));
      return error === undefined ? undefined : { field: 'rule_config.pattern', error };
    }
    case 'DATE_FORMAT': {
      const format = readDateFormat(String(config['format']));
      return typeof format === 'string' ? { field: 'rule_config.format', error: format } : undefined;
    }
    case 'CUSTOM_SQL': {
      const error = await refusal(async () => inspect(engine, String(config['sql_expression'])));
      return error === undefined ? undefined : { field: 'rule_config.sql_expression', error };
    }
    default:
      return undefined;
  }
}

async function refusal(attempt: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
}

/** Counts the rows that break a rule, and samples them in a second query that ends with the last sample. */
export async function countInvalid(
  source: DataSource,
  rule: RuleRecord,
  sampleLimit: number,
): Promise<CheckCounts> {
  const tables = await source.finder.look(rule.asset_id);
  const { count, checked } = await prepare(source, tables, findTable(tables, rule.table_path), rule);
  const [[total, invalid] = []] = await source.engine.query(tables.files, count);
  const invalidCount = Number(invalid);
  const limit = Math.min(sampleLimit, mostSamples, invalidCount);
  return {
    total_rows: Number(total),
    invalid_count: invalidCount,
    samples: limit === 0 ? [] : await readSamples(source.engine, tables, sampleQuery(checked, limit)),
  };
}

interface Prepared {
  readonly count: string;
  readonly checked: Checked;
}

async function prepare(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
): Promise<Prepared> {
  if (rule.rule_type === 'CUSTOM_SQL') {
    const checked = await prepareExpression(source, tables, file, rule);
    return { count: countQuery(checked), checked };
  }
  const { reading, columns, known } = await openColumns(source, tables, file, [rule.column_name ?? '']);
  const [column] = columns;
  if (column === undefined) throw new TypeError('a column was asked for');
  const rows = { reading, sample: column.json, row: rowNumber(file, known) };
  if (rule.rule_type === 'UNIQUE') {
    const invalid = repeatedCondition(reading, column, rule.treat_null_as_valid);
    return {
      count: uniqueCountQuery(reading, column, rule.treat_null_as_valid),
      checked: { ...rows, invalid, ordered: false },
    };
  }
  const checked = { ...rows, invalid: invalidCondition(rule, column), ordered: true };
  return { count: countQuery(checked), checked };
}

async function readSamples(engine: Engine, tables: Tables, query: string): Promise<readonly InvalidSample[]> {
  const rows = await engine.query(tables.files, query);
  return rows.map(([row, json]) => ({
    row_id: Number(row),
    value: typeof json === 'string' ? (JSON.parse(json) as unknown) : null,
  }));
}
