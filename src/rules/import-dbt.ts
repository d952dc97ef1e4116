import { readManifest, type DbtManifest, type DbtNode } from './dbt-manifest.ts';
import { mapTest, type MappedTest } from './dbt-tests.ts';
import type { Definition } from './definition.ts';
import { DefinitionBuilder } from './definition-builder.ts';

/** A relation a dbt test looks at. */
export interface DbtRelation {
  /** Its database; null if the manifest has none. */
  readonly database: string | null;
  /** Its schema; null if the manifest has none. */
  readonly schema: string | null;
  /** Its name in the database. */
  readonly name: string;
}

/** How a manifest is read. */
export interface ImportDbtOptions {
  /** The `table_path` of a relation; default database, schema and name, joined by dots. */
  readonly tablePath?: ((relation: DbtRelation) => string) | undefined;
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
  /** The tests that it cannot. */
  readonly unmapped: readonly UnmappedTest[];
}

/**
 * Turns the tests of a dbt manifest, the parsed object or its text, into a definition: `not_null`, `unique`,
 * `accepted_values`, `relationships`, `unique_combination_of_columns`, and the ranges, sets, patterns and expressions of `dbt_utils` and `dbt_expectations`, named
 * as dbt names them, `error` as critical and `warn` as warning. What would demand something else is `unmapped`,
 * with its reason. Throws `InvalidRequestError` if it is not a manifest.
 *
 * @example
 * const { definition, unmapped } = importDbt(await readFile('target/manifest.json', 'utf8'));
 */
export function importDbt(
  manifest: string | object,
  { tablePath = joinPath }: ImportDbtOptions = {},
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
        : builder.addRule(table_path ?? '', toEntry(node, column_name, mapped.rule));
    if (reason !== undefined)
      unmapped.push({ unique_id: id, name: node.name ?? id, table_path, column_name, reason });
  }
  for (const [id, source] of Object.entries(read.sources ?? {})) {
    const reason = describeFreshness(source);
    if (reason === undefined) continue;
    const table_path = tablePath(toRelation(source));
    unmapped.push({ unique_id: id, name: source.name ?? id, table_path, column_name: null, reason });
  }
  return { definition: builder.definition, unmapped };
}

/** The relation a test looks at; older manifests only have the `ref` or `source` in its arguments. */
function findTarget({ nodes, sources }: DbtManifest, test: DbtNode): DbtNode | undefined {
  const candidates = test.attached_node ? [test.attached_node] : (test.depends_on?.nodes ?? []);
  const found = candidates.map((id) => nodes[id] ?? sources?.[id]).filter((node) => node !== undefined);
  if (found.length <= 1) return found[0];
  const model = test.test_metadata?.kwargs?.['model'];
  const referred =
    typeof model === 'string' ? [...model.matchAll(/['"]([^'"]+)['"]/g)].at(-1)?.[1] : undefined;
  return found.find(({ name }) => name === referred);
}

/** The relation that the `ref` or `source` in an argument of a test names. */
function findReferred(
  { nodes, sources }: DbtManifest,
  test: DbtNode,
  reference: string,
): DbtNode | undefined {
  const name = [...reference.matchAll(/['"]([^'"]+)['"]/g)].at(-1)?.[1];
  const found = (test.depends_on?.nodes ?? [])
    .map((id) => nodes[id] ?? sources?.[id])
    .filter((node) => node !== undefined && node.name === name);
  const [only] = found;
  return found.length === 1 && only?.config?.materialized !== 'ephemeral' ? only : undefined;
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

function toRelation(target: DbtNode): DbtRelation {
  const name = target.identifier ?? target.alias ?? target.name ?? '';
  return { database: target.database ?? null, schema: target.schema ?? null, name };
}

function joinPath({ database, schema, name }: DbtRelation): string {
  return [database, schema, name].filter((part) => part !== null && part !== '').join('.');
}

/** What dbt demands of a source's age, which belongs to the freshness of an asset and not to its rules. */
function describeFreshness({ freshness, loaded_at_field }: DbtNode): string | undefined {
  const demands = Object.entries({ error: freshness?.error_after, warn: freshness?.warn_after }).flatMap(
    ([name, limit]) =>
      typeof limit?.count === 'number' ? [`${name} after ${limit.count} ${limit.period ?? ''}s`] : [],
  );
  if (demands.length === 0) return undefined;
  const column = loaded_at_field ? `, by ${loaded_at_field}` : '';
  return `freshness is configured with the asset, not with its rules: ${demands.join(', ')}${column}`;
}
