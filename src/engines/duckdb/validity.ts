import type { InvalidSample } from '../../contract/index.ts';
import type { CheckCounts, FieldProblem } from '../../service/evaluation.ts';
import type { RuleRecord } from '../../service/store.ts';
import type { TableFile } from './catalog.ts';
import { inspect, prepareExpression } from './custom-sql.ts';
import { type DataSource, openColumns } from './data-source.ts';
import { readDateFormat } from '../../service/date-format.ts';
import { type Engine, QueryError } from './engine.ts';
import { literal } from './quote.ts';
import { rowNumber } from './reading.ts';
import { findTable, type Tables } from './tables.ts';
import {
  type Checked,
  countQuery,
  sampleQuery,
  uniqueCountQuery,
  uniqueSampleQuery,
  valueCondition,
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
      return error === undefined
        ? undefined
        : { field: 'rule_config.pattern', error: error.replace(/^Invalid Input Error: /u, '') };
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

/** Counts the rows that break a rule, and samples the first of them (interface: Validity, POST check). */
export async function countInvalid(
  source: DataSource,
  rule: RuleRecord,
  sampleLimit: number,
): Promise<CheckCounts> {
  const tables = await source.finder.look(rule.asset_id);
  const file = findTable(tables, rule.table_path);
  const limit = Math.min(sampleLimit, mostSamples);
  if (rule.rule_type === 'UNIQUE') return countRepeated(source, tables, file, rule, limit);
  const checked =
    rule.rule_type === 'CUSTOM_SQL'
      ? await prepareExpression(source, tables, file, rule)
      : await prepareColumn(source, tables, file, rule);
  const [[total, invalid] = []] = await source.engine.query(tables.files, countQuery(checked));
  const wanted = Math.min(limit, Number(invalid));
  return {
    total_rows: Number(total),
    invalid_count: Number(invalid),
    // A second query, which ends with the last sample, costs less than collecting them while counting.
    samples: wanted === 0 ? [] : await readSamples(source.engine, tables, sampleQuery(checked, wanted)),
  };
}

async function countRepeated(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
  limit: number,
): Promise<CheckCounts> {
  const opened = await openColumn(source, tables, file, rule);
  const checked = { ...opened, treatNullAsValid: rule.treat_null_as_valid };
  const [[total, invalid, list] = []] = await source.engine.query(
    tables.files,
    uniqueCountQuery(checked, limit),
  );
  const firsts = typeof list === 'string' ? (JSON.parse(list) as readonly number[] | null) : null;
  return {
    total_rows: Number(total),
    invalid_count: Number(invalid),
    samples:
      firsts === null
        ? []
        : await readSamples(source.engine, tables, uniqueSampleQuery(checked, firsts, limit)),
  };
}

async function prepareColumn(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
): Promise<Checked> {
  const { reading, column, row } = await openColumn(source, tables, file, rule);
  return {
    reading,
    row,
    valid: valueCondition(rule, column),
    // A parquet knows its nulls without its values being read.
    ...(rule.rule_type === 'NOT_NULL' ? { validCount: `count(${column.value})` } : {}),
    sample: column.json,
    ordered: true,
  };
}

async function openColumn(source: DataSource, tables: Tables, file: TableFile, rule: RuleRecord) {
  const { reading, columns, known } = await openColumns(source, tables, file, [rule.column_name ?? '']);
  const [column] = columns;
  if (column === undefined) throw new TypeError('a column was asked for');
  return { reading, column, row: rowNumber(file, known) };
}

async function readSamples(engine: Engine, tables: Tables, query: string): Promise<readonly InvalidSample[]> {
  const rows = await engine.query(tables.files, query);
  return rows.map(([row, json]) => ({
    row_id: Number(row),
    value: typeof json === 'string' ? (JSON.parse(json) as unknown) : null,
  }));
}
