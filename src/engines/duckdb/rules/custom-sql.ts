import type { RuleRecord } from '../../../service/store.ts';
import { notBoolean } from '../../reasons.ts';
import type { TableFile } from '../catalog.ts';
import type { Checked } from '../check-query.ts';
import { columnSql, sharedColumn, type SourceColumn } from '../column-sql.ts';
import { QueryError } from '../../query-error.ts';
import { countedReading, type DataSource } from '../data-source.ts';
import type { Queries } from '../engine.ts';
import { askAbout } from '../explain.ts';
import { inspectExpression, type Needs, replaceTables, seesWholeRow, statementOf } from '../expression.ts';
import { exactKinds, guessedKinds, type KindGuess } from '../find-kind.ts';
import type { Kind, Kinds } from '../kind.ts';
import { ownNames } from '../own-name.ts';
import { identifier, literal } from '../quote.ts';
import { findNamedTable, type Tables } from '../tables.ts';
import { findColumn } from '../../find-column.ts';
import {
  kindColumn,
  kindView,
  openTyped,
  probeReading,
  sharedKindView,
  type TypedTable,
} from '../typed-table.ts';
import { mergeSteps, type View, viewSql } from '../view.ts';

/** Returns what an expression needs; throws {@link QueryError} if it is not one expression that only reads. */
export async function inspect(engine: Queries, expression: string): Promise<Needs> {
  const statement = literal(statementOf(expression));
  const [[serialized] = []] = await engine.query([], `SELECT json_serialize_sql(${statement})`);
  const inspection = inspectExpression(String(serialized));
  if ('refusal' in inspection) throw new QueryError(`the expression is refused: ${inspection.refusal}`);
  return inspection;
}

/** An expression that can be checked. */
export interface CheckedExpression extends Checked {
  /** What shows that the kinds of its columns are right, if they are guesses. */
  readonly guesses: readonly KindGuess[];
}

/** SQL of CUSTOM_SQL: what a check reads, and the expression over it. `onGuess`: called if the kind of a column is guessed; without it, none is. */
export async function prepareExpression(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
  onGuess?: () => void,
): Promise<CheckedExpression> {
  const written = String(rule.rule_config?.['sql_expression']);
  const needs = await inspect(source.engine, written);
  const expression = replaceTables(written, await readingsOf(source, tables, needs));
  const ruled = rule.column_name === null ? [] : [rule.column_name.toLowerCase()];
  const names = needs.columns && new Set([...needs.columns, ...ruled]);
  // A subquery may become a join and a window sorts: neither keeps the order of the rows.
  const ordered = !needs.hasSubquery && !needs.hasWindow;
  const isExact = seesWholeRow(needs, file.name);
  // The guess is checked in the scan that counts, if that is one that several rules share.
  const isGuessed = onGuess !== undefined && ordered && !isExact;
  const findKind = isGuessed ? guessedKinds(source, tables, onGuess) : exactKinds(source, tables);
  const table = await openTyped(source, tables, file, names, findKind);
  const named =
    rule.column_name === null ? undefined : findColumn(file.tablePath, table.columns, rule.column_name);
  const kinds = await bindingKinds(source, tables, table, expression, needs);
  const column = named && columnSql(kindColumn(named, kinds.get(named)));
  const view = isExact ? kindView(table, kinds) : sharedKindView(table, kinds);
  const valid = expressionCondition(expression, column?.isNull, rule.treat_null_as_valid);
  const guesses = table.undecided.flatMap(({ guess }) => guess ?? []);
  const checked = { view, valid, ordered, guesses };
  const sampled = sampledRow(table, kinds, isExact);
  const sample = column?.json ?? sampled.json;
  // Where the order is lost, the rows cannot be counted behind the condition.
  if (isExact && ordered) return { ...checked, sample, sampledView: view, row: undefined };
  const row = identifier(ownNames(table.columns)('row'));
  const sampledView = {
    ...view,
    reading: countedReading(table.reading, row),
    textBytes: undefined,
    columns: new Map([...sampled.columns, ...view.columns]),
    steps: mergeSteps([view.steps, ...(column === undefined ? [sampled.steps] : [])]),
  };
  return { ...checked, sample, sampledView, row };
}

/** The SQL of a sample of a row, and what a view has for it. */
interface SampledRow extends Pick<View, 'columns' | 'steps'> {
  readonly json: string;
}

/** True for a valid row; `isNull` is that of the column that the rule names, if it does. */
function expressionCondition(
  expression: string,
  isNull: string | undefined,
  treatNullAsValid: boolean,
): string {
  if (!treatNullAsValid) return expression;
  return isNull === undefined ? `${expression} IS NOT FALSE` : `${isNull} OR ${expression}`;
}

/**
 * The row as a JSON object, by the names that the file writes. It has all columns, as the file writes those that the
 * expression does not use; the fields of a csv as what they look like.
 */
function sampledRow({ columns, file }: TypedTable, kinds: Kinds, isExact: boolean): SampledRow {
  const readable = columns.filter(({ name, readAs }) => isText(file) || name === readAs);
  const members = readable.map((column): SampledRow => {
    const kind = kinds.get(column);
    const isRaw = isText(file) && kind === undefined;
    const {
      sql,
      columns: seen,
      steps,
    } = isRaw && !isExact
      ? sharedColumn(column, ownNames(columns))
      : {
          sql: columnSql(kindColumn(column, kind)),
          columns: new Map([[column.readAs, identifier(column.readAs)]]),
          steps: [],
        };
    const looksLikeNumber = `regexp_full_match(${sql.text}, '-?(0|[1-9][0-9]{0,14})([.][0-9]{1,9})?')`;
    const value = isRaw ? `CASE WHEN ${looksLikeNumber} THEN ${sql.text} ELSE ${sql.json} END` : sql.json;
    return { columns: seen, steps, json: `${literal(column.name)}, (${value})::JSON` };
  });
  return {
    json: `json_object(${members.map(({ json }) => json).join(', ')})::VARCHAR`,
    columns: new Map(members.flatMap((member) => [...member.columns])),
    steps: mergeSteps(members.map((member) => member.steps)),
  };
}

function isText({ format }: TableFile): boolean {
  return format === 'csv' || format === 'tsv';
}

async function readingsOf(source: DataSource, tables: Tables, needs: Needs) {
  return Promise.all(
    needs.tables.map(async (reference) => {
      const file = findNamedTable(tables, source.folder, reference.parts);
      const table = await openTyped(source, tables, file, needs.columns, exactKinds(source, tables));
      const best = new Map(table.undecided.map(({ column, kinds: [kind] }) => [column, kind]));
      return { reference, reading: viewSql(kindView(table, best)) };
    }),
  );
}

const mostAttempts = 64;

/** What DuckDB says of an expression that another type of a column could make right. */
const typeComplaint =
  /Cannot compare values|Cannot mix values|No function matches|Could not convert|Conversion Error|Could not choose a best candidate|invalid (?:timestamp|date) field/i;

/** Finds the kinds of the columns with which the expression is boolean, the best ones first. */
async function bindingKinds(
  { engine }: DataSource,
  tables: Tables,
  table: TypedTable,
  expression: string,
  needs: Needs,
): Promise<Kinds> {
  let first: QueryError | undefined;
  for (const kinds of assignments(table)) {
    try {
      await assertBoolean(engine, tables, table, kinds, expression, needs);
      return kinds;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      first ??= error;
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      if (!typeComplaint.test(reason)) break;
    }
  }
  throw first ?? new TypeError('there is always one assignment');
}

/** The best kind of each column, then with one column of another kind, then with two, and so on. */
function* assignments({ undecided }: TypedTable): Generator<Kinds> {
  let pending: Map<SourceColumn, Kind>[] = [
    new Map(undecided.map(({ column, kinds: [best] }) => [column, best])),
  ];
  const seen = new Set<string>();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const [kinds, ...others] = pending;
    if (kinds === undefined) return;
    yield kinds;
    pending = others;
    if (pending.length > mostAttempts) continue;
    for (const { column, kinds: possible } of undecided) {
      for (const kind of possible.slice(1)) {
        const changed = new Map(kinds).set(column, kind);
        const key = [...changed.values()].join();
        if (kinds.get(column) !== possible[0] || seen.has(key)) continue;
        seen.add(key);
        pending.push(changed);
      }
    }
  }
}

async function assertBoolean(
  engine: Queries,
  tables: Tables,
  table: TypedTable,
  kinds: Kinds,
  expression: string,
  needs: Needs,
): Promise<void> {
  const { file, columns } = table;
  // A column beside the expression makes an aggregate of it an error; a subquery must not run here.
  const [beside] = columns.map(({ readAs }) => `, ${identifier(readAs)}`);
  // The type alone would be known without a look at the constants.
  const sql = `SELECT typeof(any_value(__dq_valid)), any_value(__dq_valid)::VARCHAR FROM (SELECT ${expression} AS __dq_valid${beside ?? ''}
    FROM ${probeReading(table, kinds)} AS ${identifier(file.name)} ${needs.hasSubquery ? 'WHERE false' : ''})`;
  // Without a subquery it reads no file, and need not wait for those who do.
  const readable = needs.hasSubquery ? tables : { ...tables, files: [] };
  const [[type] = []] = await askAbout(engine, readable, file, sql);
  if (type !== 'BOOLEAN') throw new QueryError(notBoolean(String(type)));
}
