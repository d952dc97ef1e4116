import type { RuleRecord } from '../../service/store.ts';
import type { TableFile } from './catalog.ts';
import { columnSql } from './column-sql.ts';
import type { DataSource } from './data-source.ts';
import { type Engine, QueryError } from './engine.ts';
import { inspectExpression, type Needs, replaceTables, statementOf } from './expression.ts';
import { literal } from './quote.ts';
import { rowNumber } from './reading.ts';
import { findColumn, findNamedTable, type Tables } from './tables.ts';
import { type Checked, expressionCondition } from './validity-sql.ts';

/** Says what an expression needs; throws {@link QueryError} where it is not one expression that only reads. */
export async function inspect(engine: Engine, expression: string): Promise<Needs> {
  const statement = literal(statementOf(expression));
  const [[serialized] = []] = await engine.query([], `SELECT json_serialize_sql(${statement})`);
  const inspection = inspectExpression(String(serialized));
  if ('refusal' in inspection) throw new QueryError(`the expression is refused: ${inspection.refusal}`);
  return inspection;
}

/** Makes a CUSTOM_SQL rule ready to be checked. */
export async function prepareExpression(
  source: DataSource,
  tables: Tables,
  file: TableFile,
  rule: RuleRecord,
): Promise<Checked> {
  const { engine, finder } = source;
  const written = String(rule.rule_config?.['sql_expression']);
  const needs = await inspect(engine, written);
  const expression = replaceTables(written, await readingsOf(source, tables, needs));
  const typed = await finder.typed(tables, file);
  const column =
    rule.column_name === null ? undefined : columnSql(findColumn(file, typed.columns, rule.column_name));
  const reading = `${typed.reading} AS __dq_table`;
  await assertBoolean(engine, tables, `SELECT typeof(any_value(${expression})) FROM ${reading} WHERE false`);
  return {
    reading,
    valid: expressionCondition(expression, column, rule.treat_null_as_valid),
    sample: column?.json ?? 'to_json(__dq_table)::VARCHAR',
    row: rowNumber(
      file,
      typed.columns.map(({ name }) => name),
    ),
    // A subquery may become a join, which does not keep the order of the rows.
    ordered: !needs.hasSubquery,
  };
}

async function readingsOf({ finder, folder }: DataSource, tables: Tables, needs: Needs) {
  return Promise.all(
    needs.tables.map(async (reference) => {
      const { reading } = await finder.typed(tables, findNamedTable(tables, folder, reference.parts));
      return { reference, reading };
    }),
  );
}

async function assertBoolean(engine: Engine, tables: Tables, query: string): Promise<void> {
  const [[type] = []] = await engine.query(tables.files, query);
  if (type !== 'BOOLEAN') throw new QueryError(`the expression must be boolean, it is ${String(type)}`);
}
