import type { InvalidSample } from '../../contract/index.ts';
import { readDateFormat } from '../../service/date-format.ts';
import type { CheckCounts, FieldProblem } from '../../service/evaluation.ts';
import type { RuleRecord } from '../../service/store.ts';
import { mostSampleBytes, mostSamples } from '../limits.ts';
import { QueryError } from '../query-error.ts';
import { notBoolean } from '../reasons.ts';
import type { DatabaseColumn, DatabaseTable, Row } from './database.ts';
import type { DataSource } from './data-source.ts';
import { inspectExpression } from './expression.ts';

/** Refuses a rule that could never be evaluated, whatever the data. */
export async function validateRule(
  { database }: DataSource,
  rule: Omit<RuleRecord, 'id'>,
): Promise<FieldProblem | undefined> {
  const config = rule.rule_config ?? {};
  switch (rule.rule_type) {
    case 'REGEX': {
      const probe = database.dialect.patternProbe(String(config['pattern']));
      const error = await refusal(async () => database.query(probe));
      return error === undefined ? undefined : { field: 'rule_config.pattern', error };
    }
    case 'DATE_FORMAT': {
      const format = readDateFormat(String(config['format']));
      return typeof format === 'string' ? { field: 'rule_config.format', error: format } : undefined;
    }
    case 'CUSTOM_SQL': {
      const found = inspectExpression(String(config['sql_expression']), database.dialect.expression);
      return found.refusal === undefined
        ? undefined
        : { field: 'rule_config.sql_expression', error: refused(found.refusal) };
    }
    default:
      return undefined;
  }
}

/** Counts the rows that break a rule, and samples some of them. */
export async function countInvalid(
  source: DataSource,
  rule: RuleRecord,
  sampleLimit: number,
): Promise<CheckCounts> {
  const table = await source.find(rule.table_path);
  const limit = Math.min(sampleLimit, mostSamples);
  const counted =
    rule.rule_type === 'UNIQUE'
      ? await countRepeated(source, table, rule, limit)
      : rule.rule_type === 'CUSTOM_SQL'
        ? await countUntrue(source, table, rule)
        : await countByCondition(source, table, rule);
  const { total, invalid, condition, sampled } = counted;
  const wanted = Math.min(limit, invalid);
  return {
    total_rows: total,
    invalid_count: invalid,
    samples: wanted === 0 ? [] : await readSamples(source, table, { condition, sampled, limit: wanted }),
  };
}

/** What was counted, and what the samples are to be taken from. */
interface Counted {
  readonly total: number;
  readonly invalid: number;
  readonly condition: string;
  /** The column of the rule, or all of them if it names none. */
  readonly sampled: DatabaseColumn | undefined;
}

async function countByCondition(
  source: DataSource,
  table: DatabaseTable,
  rule: RuleRecord,
): Promise<Counted> {
  const { dialect } = source.database;
  const sampled = source.column(table, rule.column_name ?? '');
  const condition = dialect.condition(rule, sampled);
  const aggregates = [dialect.rowCount, dialect.invalidCount(condition)];
  return { ...counts(await source.aggregate(table, aggregates)), condition, sampled };
}

async function countRepeated(
  source: DataSource,
  table: DatabaseTable,
  { column_name, treat_null_as_valid: treatNullAsValid }: RuleRecord,
  limit: number,
): Promise<Counted> {
  const { dialect, query } = bound(source);
  const sampled = source.column(table, column_name ?? '');
  const [row] = await query(dialect.uniqueCounts(table, sampled, treatNullAsValid));
  const condition = dialect.uniqueCondition(table, sampled, { treatNullAsValid, limit });
  return { ...counts(row ?? []), condition, sampled };
}

async function countUntrue(source: DataSource, table: DatabaseTable, rule: RuleRecord): Promise<Counted> {
  const { database } = source;
  const { dialect } = database;
  const expression = String(rule.rule_config?.['sql_expression']);
  const found = inspectExpression(expression, dialect.expression);
  if (found.refusal !== undefined) throw new QueryError(refused(found.refusal));
  const sampled = rule.column_name === null ? undefined : source.column(table, rule.column_name);
  const written = `(\n${expression}\n)`;
  await assertBoolean(source, table, written);
  const isNull = sampled && dialect.isNull(sampled);
  const isValid = rule.treat_null_as_valid
    ? isNull === undefined
      ? `(${written}) IS NULL OR ${written}`
      : `${isNull} OR ${written}`
    : written;
  const aggregates = [dialect.rowCount, dialect.invalidCount(found.isPlain ? isValid : validName)];
  const row = found.isPlain
    ? await source.aggregate(table, aggregates)
    : (
        await database.query(
          `SELECT ${aggregates.join(', ')} FROM (SELECT (${isValid}) AS ${validName} FROM ${dialect.tableName(table)}) AS ${checkedName}`,
        )
      )[0];
  return { ...counts(row ?? []), condition: isValid, sampled };
}

const validName = 'dq_valid';
const checkedName = 'dq_checked';

/** A column beside the expression makes an aggregate of it an error. */
async function assertBoolean(source: DataSource, table: DatabaseTable, written: string): Promise<void> {
  const { database } = source;
  const { dialect } = database;
  const beside = table.columns.slice(0, 1).map(({ name }) => `, ${dialect.identifier(name)}`);
  const type = await database.typeOf(
    `SELECT ${written} AS ${validName}${beside.join('')} FROM ${dialect.tableName(table)} LIMIT 0`,
  );
  if (!dialect.booleans.includes(type)) throw new QueryError(notBoolean(type));
}

async function readSamples(
  source: DataSource,
  table: DatabaseTable,
  { condition, sampled, limit }: Pick<Counted, 'condition' | 'sampled'> & { readonly limit: number },
): Promise<readonly InvalidSample[]> {
  const { dialect, query } = bound(source);
  const keys = table.key.map((name) => source.column(table, name));
  const values = sampled === undefined ? table.columns : [sampled];
  const columns = [...keys, ...values];
  const selected = columns.map((column, at) => `${dialect.sample(column)} AS dq_${at}`);
  const rows = await query(
    `SELECT ${columns.map((_, at) => `dq_${at}`).join(', ')} FROM (
      SELECT ${selected.join(', ')}, ${dialect.isTrue(condition)} AS ${validName} FROM ${dialect.tableName(table)}
    ) AS ${checkedName} WHERE NOT ${validName} LIMIT ${limit}`,
  );
  const samples: InvalidSample[] = [];
  let length = 0;
  for (const row of rows) {
    for (const text of row) length += typeof text === 'string' ? text.length : 0;
    if (length > mostSampleBytes) break;
    const read = columns.map((column, at) => [column.name, dialect.sampleValue(column, row[at])] as const);
    const found = read.slice(keys.length);
    const value = sampled === undefined ? Object.fromEntries(found) : found[0]?.[1];
    samples.push({ ...Object.fromEntries(read.slice(0, keys.length)), row_id: null, value });
  }
  return samples;
}

function bound({ database }: DataSource) {
  return {
    dialect: database.dialect,
    query: async (sql: string): Promise<readonly Row[]> => database.query(sql),
  };
}

function counts([total, invalid]: Row): { readonly total: number; readonly invalid: number } {
  return { total: Number(total), invalid: Number(invalid) };
}

function refused(reason: string): string {
  return `the expression is refused: ${reason}`;
}

/** Why a query is refused; a source that is away refuses nothing, its checks will report it. */
async function refusal(attempt: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error.isUnreachable ? undefined : error.message;
    throw error;
  }
}
