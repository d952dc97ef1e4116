import type { InvalidSample } from '../../contract/index.ts';
import { readDateFormat } from '../../service/date-format.ts';
import type { CheckCounts, FieldProblem } from '../../service/evaluation.ts';
import type { RuleRecord } from '../../service/store.ts';
import { mostSampleBytes, mostSamples } from '../limits.ts';
import type { TableFile } from './catalog.ts';
import { QueryError } from '../query-error.ts';
import { type Checked, countAggregates, countQuery, sampleAggregate, sampleQuery } from './check-query.ts';
import { type DataSource, openColumns } from './data-source.ts';
import type { Queries } from './engine.ts';
import { askAbout, computeAbout } from './explain.ts';
import type { Rows, Value } from './protocol.ts';
import { literal } from './quote.ts';
import { type CheckedExpression, inspect, prepareExpression } from './rules/custom-sql.ts';
import { uniqueCountQuery, uniqueSampleQuery } from './rules/unique.ts';
import { findTable, type Tables } from './tables.ts';
import { valueCondition } from './value-condition.ts';

/** Refuses a rule that could never be evaluated, whatever the data. */
export async function validateRule(
  engine: Queries,
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

/** Counts the rows that break a rule, and samples the first of them. */
export async function countInvalid(
  source: DataSource,
  rule: RuleRecord,
  sampleLimit: number,
): Promise<CheckCounts> {
  const tables = await source.finder.list(rule.asset_id);
  const file = findTable(tables, rule.table_path);
  const limit = Math.min(sampleLimit, mostSamples);
  if (rule.rule_type === 'UNIQUE') return countRepeated(source, tables, file, rule, limit);
  const { checked, counts } =
    rule.rule_type === 'CUSTOM_SQL'
      ? await countExpression(source, tables, file, rule)
      : await countColumn(source, tables, file, rule);
  const [total, invalid] = counts;
  const wanted = Math.min(limit, Number(invalid));
  return {
    total_rows: Number(total),
    invalid_count: Number(invalid),
    // A second query, which ends with the last sample, costs less than collecting them while counting.
    samples:
      wanted === 0 ? [] : await sampleRows(source.engine, tables, file, checked, wanted, Number(invalid)),
  };
}

/** A check, and how many rows it found in all, and invalid. */
interface Counted {
  readonly checked: Checked;
  readonly counts: readonly Value[];
}

async function countColumn(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
): Promise<Counted> {
  const checked = await prepareColumn(source, tables, file, rule);
  return {
    checked,
    counts: await computeAbout(source.engine, tables, file, checked.view, countAggregates(checked)),
  };
}

/** Counts with guessed kinds of the columns first; if the data contradicts them, again with the right ones. */
async function countExpression(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
): Promise<Counted> {
  const { engine, finder } = source;
  const { reading } = await finder.open(tables, file);
  const made = engine.announce(tables.files, { reading: reading.sql, name: file.name });
  let isGuess = false;
  try {
    const checked = await prepareExpression(source, tables, file, rule, () => (isGuess = true));
    const counting = countGuessed(engine, tables, file, checked);
    made();
    const counts = await counting;
    if (counts !== undefined) return { checked, counts };
  } catch (error) {
    if (!isGuess || !(error instanceof QueryError) || error.overran) throw error;
  } finally {
    made();
  }
  const checked = await prepareExpression(source, tables, file, rule);
  return { checked, counts: await countRows(engine, tables, file, checked) };
}

/** Counts as {@link countRows} does, or returns undefined if a guess is wrong. */
async function countGuessed(
  engine: Queries,
  tables: Tables,
  file: TableFile,
  checked: CheckedExpression,
): Promise<readonly Value[] | undefined> {
  const { guesses, view } = checked;
  if (guesses.length === 0) return countRows(engine, tables, file, checked);
  const aggregates = countAggregates(checked);
  const proofs = guesses.flatMap((guess) => guess.aggregates);
  const values = await computeAbout(engine, tables, file, view, [...aggregates, ...proofs]);
  let at = aggregates.length;
  const isRight = guesses.map((guess) => guess.confirm(values.slice(at, (at += guess.aggregates.length))));
  return isRight.includes(false) ? undefined : values.slice(0, aggregates.length);
}

/** Most invalid rows that are listed together with those of other rules. */
const mostListed = 1000;

async function sampleRows(
  engine: Queries,
  tables: Tables,
  file: TableFile,
  checked: Checked,
  wanted: number,
  invalid: number,
): Promise<readonly InvalidSample[]> {
  // To find rare rows, most of the file is read anyway: then once for all rules that look for such.
  const isRare = checked.ordered && checked.row !== undefined && invalid <= Math.min(10 * wanted, mostListed);
  if (!isRare) return readSamples(engine, tables, file, sampleQuery(checked, wanted));
  const [list] = await computeAbout(engine, tables, file, checked.sampledView, [
    sampleAggregate(checked, wanted),
  ]);
  const found = JSON.parse(String(list)) as readonly { readonly row: number; readonly json: string | null }[];
  return samplesOf(found.map(({ row, json }) => [row, json]));
}

async function countRows(
  engine: Queries,
  tables: Tables,
  file: TableFile,
  checked: Checked,
): Promise<readonly Value[]> {
  if (checked.ordered) {
    return computeAbout(engine, tables, file, checked.view, countAggregates(checked));
  }
  const [row = []] = await askAbout(engine, tables, file, countQuery(checked));
  return row;
}

/** Fewest first rows in which repeated values are looked for. */
const smallestHead = 1000;

async function countRepeated(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
  limit: number,
): Promise<CheckCounts> {
  const opened = await openColumn(source, tables, file, rule);
  const checked = { ...opened, treatNullAsValid: rule.treat_null_as_valid };
  const [[total, invalid] = []] = await askAbout(source.engine, tables, file, uniqueCountQuery(checked));
  const [rows, repeated] = [Number(total), Number(invalid)];
  const wanted = Math.min(limit, repeated);
  const sample = async (head?: number) =>
    wanted === 0 ? [] : readSamples(source.engine, tables, file, uniqueSampleQuery(checked, wanted, head));
  // As often as they are over all, there would be several times as many as wanted among these rows.
  const head = Math.max(smallestHead, Math.ceil((10 * wanted * rows) / repeated));
  const first = head < rows / 10 ? await sample(head) : [];
  const samples = first.length < wanted ? await sample() : first;
  return { total_rows: rows, invalid_count: repeated, samples };
}

async function prepareColumn(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
): Promise<Checked> {
  const { view, countedView, row, column } = await openColumn(source, tables, file, rule);
  return {
    view,
    sampledView: countedView,
    row,
    valid: valueCondition(rule, column),
    // A parquet knows its nulls without its values being read.
    ...(rule.rule_type === 'NOT_NULL' ? { validCount: column.count } : {}),
    sample: column.json,
    ordered: true,
  };
}

async function openColumn(source: DataSource, tables: Tables, file: TableFile, rule: RuleRecord) {
  const { view, countedView, row, columns } = await openColumns(source, tables, file, [
    rule.column_name ?? '',
  ]);
  const [column] = columns;
  if (column === undefined) throw new TypeError('a column was requested');
  return { view, countedView, row, column };
}

async function readSamples(
  engine: Queries,
  tables: Tables,
  file: TableFile,
  query: string,
): Promise<readonly InvalidSample[]> {
  return samplesOf(await askAbout(engine, tables, file, query));
}

function samplesOf(rows: Rows): readonly InvalidSample[] {
  const samples: InvalidSample[] = [];
  let bytes = 0;
  for (const [row, json] of rows) {
    bytes += typeof json === 'string' ? json.length : 0;
    if (bytes > mostSampleBytes) break;
    const value = typeof json === 'string' ? (JSON.parse(json) as unknown) : null;
    samples.push({ row_id: Number(row), value });
  }
  return samples;
}
