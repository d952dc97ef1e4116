import type { RuleRecord } from '../../../service/store.ts';
import { notBoolean } from '../../reasons.ts';
import type { TableFile } from '../catalog.ts';
import type { Checked } from '../check-query.ts';
import { columnSql, type SourceColumn } from '../column-sql.ts';
import { QueryError } from '../../query-error.ts';
import { countedReading, type DataSource } from '../data-source.ts';
import type { Queries } from '../engine.ts';
import { askAbout } from '../explain.ts';
import { inspectExpression, type Needs, replaceTables, statementOf } from '../expression.ts';
import { identifier, literal } from '../quote.ts';
import { findNamedTable, type Tables } from '../tables.ts';
import { findColumn } from '../../find-column.ts';
import {
  type Kind,
  kindColumn,
  kindView,
  type Kinds,
  openTyped,
  probeReading,
  type TypedTable,
} from '../typed-table.ts';
import { viewSql } from '../view.ts';

/** Returns what an expression needs; throws {@link QueryError} if it is not one expression that only reads. */
export async function inspect(engine: Queries, expression: string): Promise<Needs> {
  const statement = literal(statementOf(expression));
  const [[serialized] = []] = await engine.query([], `SELECT json_serialize_sql(${statement})`);
  const inspection = inspectExpression(String(serialized));
  if ('refusal' in inspection) throw new QueryError(`the expression is refused: ${inspection.refusal}`);
  return inspection;
}

/** SQL of CUSTOM_SQL: what a check reads, and the expression over it. */
export async function prepareExpression(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
): Promise<Checked> {
  const written = String(rule.rule_config?.['sql_expression']);
  const needs = await inspect(source.engine, written);
  const expression = replaceTables(written, await readingsOf(source, tables, needs));
  const ruled = rule.column_name === null ? [] : [rule.column_name.toLowerCase()];
  const names = needs.columns && new Set([...needs.columns, ...ruled]);
  const table = await openTyped(source, tables, file, names);
  const named =
    rule.column_name === null ? undefined : findColumn(file.tablePath, table.columns, rule.column_name);
  const kinds = await bindingKinds(source, tables, table, expression, needs);
  const column = named && columnSql(kindColumn(named, kinds.get(named)));
  const view = kindView(table, kinds, file.name);
  // The sample of a row has all columns, as the file writes those that the expression does not use.
  const plain = table.columns.map(({ readAs }) => [readAs, identifier(readAs)] as const);
  return {
    view,
    sampledView: {
      ...view,
      reading: countedReading(table.reading),
      columns: new Map([...plain, ...view.columns]),
    },
    valid: expressionCondition(expression, column?.isNull, rule.treat_null_as_valid),
    sample: column?.json ?? rowSample(table, kinds),
    // A subquery may become a join and a window sorts: neither keeps the order of the rows.
    ordered: !needs.hasSubquery && !needs.hasWindow,
  };
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

/** The row as a JSON object, by the names that the file writes; the fields of a csv as what they look like. */
function rowSample({ columns, file }: TypedTable, kinds: Kinds): string {
  const readable = columns.filter(({ name, readAs }) => isText(file) || name === readAs);
  const members = readable.flatMap((column) => {
    const kind = kinds.get(column);
    const { json, text } = columnSql(kindColumn(column, kind));
    const looksLikeNumber = `regexp_full_match(${text}, '-?(0|[1-9][0-9]{0,14})([.][0-9]{1,9})?')`;
    const value =
      isText(file) && kind === undefined
        ? `CASE WHEN ${looksLikeNumber} THEN ${text} ELSE ${json} END`
        : json;
    return [literal(column.name), `(${value})::JSON`];
  });
  return `json_object(${members.join(', ')})::VARCHAR`;
}

function isText({ format }: TableFile): boolean {
  return format === 'csv' || format === 'tsv';
}

async function readingsOf(source: DataSource, tables: Tables, needs: Needs) {
  return Promise.all(
    needs.tables.map(async (reference) => {
      const file = findNamedTable(tables, source.folder, reference.parts);
      const table = await openTyped(source, tables, file, needs.columns);
      const best = new Map(table.undecided.map(({ column, kinds: [kind] }) => [column, kind]));
      return { reference, reading: viewSql(kindView(table, best, file.name)) };
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
