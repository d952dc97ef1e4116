import { readManifest, type DbtNode } from './dbt-manifest.ts';
import { mapFreshness } from './dbt-freshness.ts';
import { labelsOfTest } from './dbt-labels.ts';
import { type DbtRelation, findReferred, findTarget, joinPath, toRelation } from './dbt-relations.ts';
import { type DbtRun, readRunResults } from './dbt-run-results.ts';
import { mapTest, type MappedTest } from './dbt-tests.ts';
import type { Definition } from './definition.ts';
import { DefinitionBuilder } from './definition-builder.ts';

/** How a manifest is read. */
export interface ImportDbtOptions {
  /**
   * The `table_path` of a relation.
   *
   * @default database, schema and name, joined by dots
   */
  readonly tablePath?: ((relation: DbtRelation) => string) | undefined;
  /**
   * What the last run of dbt found, the text of its `run_results.json` or the parsed object: returned as `lastRun`.
   *
   * @default none
   */
  readonly runResults?: string | object | undefined;
}

/** A test or a source freshness that no definition can express. */
export interface UnmappedTest {
  /** dbt's own id, such as `test.shop.relationships_orders_customer_id`. */
  readonly unique_id: string;
  /** Its name in dbt. */
  readonly name: string;
  /** The table it tests, as `<catalog>.<schema>.<table>`; null if it names none. */
  readonly table_path: string | null;
  /** The column it tests; null if it is about the whole table. */
  readonly column_name: string | null;
  /** Why it was left out. */
  readonly reason: string;
}

/** What a manifest's tests come to. */
export interface DbtImport {
  /** The tests that a definition can express. */
  readonly definition: Definition;
  /** The tests that it cannot, and what it cannot say of a source's freshness. */
  readonly unmapped: readonly UnmappedTest[];
  /** What the last run found about the tests, if `runResults` was given: what a gate will probably find first. */
  readonly lastRun?: DbtRun;
}

/**
 * Turns the tests of a dbt manifest, the parsed object or its text, into a definition: `not_null`, `unique`,
 * `accepted_values`, `relationships`, `unique_combination_of_columns`, row counts, and the ranges, sets, patterns and
 * expressions of `dbt_utils` and `dbt_expectations`, named as dbt names them, `error` as critical and `warn` as warning,
 * with their descriptions, owners and tags, and the freshness of sources. What would demand something else is
 * `unmapped`, with its reason.
 *
 * @throws {InvalidRequestError} if it is not a manifest, or what is given as its results is not.
 *
 * @example
 * const { definition, unmapped } = importDbt(await readFile('target/manifest.json', 'utf8'));
 */
export function importDbt(
  manifest: string | object,
  { tablePath = joinPath, runResults }: ImportDbtOptions = {},
): DbtImport {
  const read = readManifest(manifest);
  const builder = new DefinitionBuilder();
  const unmapped: UnmappedTest[] = [];
  for (const [id, node] of Object.entries(read.nodes)) {
    if (node.resource_type !== 'test') continue;
    const target = findTarget(read, node);
    const table_path = target === undefined ? null : tablePath(toRelation(target));
    const column_name = columnOf(node);
    const mapped = mapNode(node, target, table_path ?? '', (to) => {
      const parent = findReferred(read, node, to);
      return parent && tablePath(toRelation(parent));
    });
    const reason =
      'reason' in mapped
        ? mapped.reason
        : builder.addRule(table_path ?? '', {
            ...toEntry(node, column_name, mapped.rule),
            ...labelsOfTest(read, node, target),
          });
    if (reason !== undefined)
      unmapped.push({ unique_id: id, name: node.name ?? id, table_path, column_name, reason });
  }
  for (const [id, source] of Object.entries(read.sources ?? {})) {
    const table_path = tablePath(toRelation(source));
    const { freshness, reasons } = mapFreshness(source);
    if (freshness !== undefined) builder.setFreshness(table_path, freshness);
    for (const reason of reasons)
      unmapped.push({ unique_id: id, name: source.name ?? id, table_path, column_name: null, reason });
  }
  const imported = { definition: builder.definition, unmapped };
  if (runResults === undefined) return imported;
  const tests = Object.entries(read.nodes).filter(([, node]) => node.resource_type === 'test');
  const names = new Map(tests.map(([id, { name }]) => [id, name ?? id]));
  return { ...imported, lastRun: readRunResults(runResults, names) };
}

function mapNode(
  { config, test_metadata }: DbtNode,
  target: DbtNode | undefined,
  ownPath: string,
  pathOf: (reference: string) => string | undefined,
): MappedTest {
  if (!test_metadata) return { reason: 'a singular test is a query of its own' };
  if (target === undefined) return { reason: 'the relation it looks at is not in the manifest' };
  if (target.config?.materialized === 'ephemeral') return { reason: 'an ephemeral model is not a table' };
  if (config?.where) return { reason: `where: a rule checks every row, not only ${config.where}` };
  for (const name of ['error_if', 'warn_if'] as const) {
    const condition = config?.[name];
    if (condition && condition.replaceAll(' ', '') !== '!=0') {
      return { reason: `${name}: ${condition} counts rows, and a threshold is a percentage` };
    }
  }
  return mapTest(test_metadata.namespace, test_metadata.name, test_metadata.kwargs ?? {}, pathOf, ownPath);
}

function columnOf({ column_name, test_metadata }: DbtNode): string | null {
  const column = test_metadata?.kwargs?.['column_name'] ?? column_name;
  return typeof column === 'string' ? column.replaceAll(/^["'`[]|["'`\]]$/g, '') : null;
}

function toEntry(test: DbtNode, column_name: string | null, rule: Readonly<Record<string, unknown>>): object {
  return {
    ...(test.name ? { name: test.name } : {}),
    ...rule,
    ...(column_name === null ? {} : { column_name }),
    ...(test.description ? { description: test.description } : {}),
    ...(test.config?.severity?.toLowerCase() === 'warn' ? {} : { severity: 'critical' }),
    ...(test.config?.enabled === false ? { is_active: false } : {}),
  };
}
