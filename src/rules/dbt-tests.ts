/** A rule made of a test, less its name, or why the test cannot become one. */
export type MappedTest = { readonly rule: Readonly<Record<string, unknown>> } | { readonly reason: string };

/** The `table_path` of the relation that a `ref` or `source` names, if the manifest has it. */
type PathOf = (reference: string) => string | undefined;

type Arguments = Readonly<Record<string, unknown>>;

/**
 * How each generic test becomes a rule, by `namespace.name`. dbt's tests let nulls pass, all but not_null.
 */
const mappers: Readonly<Record<string, (args: Arguments, pathOf: PathOf, ownPath: string) => MappedTest>> = {
  not_null: () => ({ rule: { rule_type: 'NOT_NULL' } }),
  unique: () => ({ rule: { rule_type: 'UNIQUE', treat_null_as_valid: true } }),
  accepted_values: ({ values, quote }) => oneOf(values, quote),
  relationships: (args, pathOf) => refersTo(args, pathOf),
  'dbt_utils.accepted_range': ({ min_value, max_value, inclusive }) =>
    between(min_value, max_value, inclusive !== false),
  'dbt_utils.expression_is_true': ({ expression, column_name }) => isTrue(expression, column_name),
  'dbt_utils.unique_combination_of_columns': ({ combination_of_columns, quote_columns }, _pathOf, ownPath) =>
    occursOnce(combination_of_columns, quote_columns === true, ownPath),
  'dbt_utils.equal_rowcount': (args, pathOf, ownPath) => countsLike(args, '=', pathOf, ownPath),
  'dbt_utils.fewer_rows_than': (args, pathOf, ownPath) => countsLike(args, '<', pathOf, ownPath),
  'dbt_expectations.expect_table_row_count_to_equal': ({ value, ...args }, _pathOf, ownPath) =>
    countsBetween({ ...args, min_value: value, max_value: value }, ownPath),
  'dbt_expectations.expect_table_row_count_to_be_between': (args, _pathOf, ownPath) =>
    countsBetween(args, ownPath),
  'dbt_expectations.expect_table_row_count_to_equal_other_table': (args, pathOf, ownPath) =>
    countsLike(args, '=', pathOf, ownPath),
  'dbt_expectations.expect_column_values_to_not_be_null': () => ({ rule: { rule_type: 'NOT_NULL' } }),
  'dbt_expectations.expect_column_values_to_be_unique': () => ({
    rule: { rule_type: 'UNIQUE', treat_null_as_valid: true },
  }),
  'dbt_expectations.expect_column_values_to_be_in_set': ({ value_set, quote_values }) =>
    oneOf(value_set, quote_values),
  'dbt_expectations.expect_column_values_to_be_between': ({ min_value, max_value, strictly }) =>
    between(min_value, max_value, strictly !== true),
  'dbt_expectations.expect_column_values_to_match_regex': ({ regex, flags }) => matches([regex], flags),
  'dbt_expectations.expect_column_values_to_match_regex_list': ({ regex_list, match_on, flags }) =>
    match_on === 'all' && asList(regex_list).length > 1
      ? { reason: 'a rule has one pattern, and all of these must match' }
      : matches(asList(regex_list), flags),
};

/** Turns a generic test into a rule, if there is one that demands the same. */
export function mapTest(
  namespace: string | null | undefined,
  name: string,
  args: Arguments,
  pathOf: PathOf,
  ownPath: string,
): MappedTest {
  const key = namespace && namespace !== 'dbt' ? `${namespace}.${name}` : name;
  const mapper = Object.hasOwn(mappers, key) ? mappers[key] : undefined;
  if (mapper === undefined) return { reason: `no rule type demands what ${key} does` };
  if (typeof args['row_condition'] === 'string')
    return { reason: 'row_condition: a rule looks at every row' };
  return mapper(args, pathOf, ownPath);
}

function oneOf(values: unknown, quote: unknown): MappedTest {
  // Without quotes, dbt compares with numbers, booleans or expressions.
  const allowed = asList(values).map((value) => (quote === false ? (toNumber(value) ?? value) : value));
  return { rule: { rule_type: 'ENUM', rule_config: { allowed_values: allowed }, treat_null_as_valid: true } };
}

function between(least: unknown, most: unknown, isInclusive: boolean): MappedTest {
  if (!isInclusive) return { reason: 'the bounds of a RANGE are inclusive' };
  const bounds = Object.entries({ min: least, max: most }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const numbers = bounds.map(([name, value]) => [name, toNumber(value)] as const);
  if (numbers.some(([, value]) => value === undefined))
    return { reason: 'the bounds of a RANGE are numbers, not SQL' };
  return {
    rule: { rule_type: 'RANGE', rule_config: Object.fromEntries(numbers), treat_null_as_valid: true },
  };
}

function matches(patterns: readonly unknown[], flags: unknown): MappedTest {
  if (typeof flags === 'string' && flags !== '')
    return { reason: `flags: a REGEX has none, and this one has ${flags}` };
  if (patterns.length === 0 || !patterns.every((pattern) => typeof pattern === 'string')) {
    return { reason: 'the pattern is not a string' };
  }
  const pattern = patterns.length === 1 ? patterns[0] : patterns.map((one) => `(?:${one})`).join('|');
  return { rule: { rule_type: 'REGEX', rule_config: { pattern }, treat_null_as_valid: true } };
}

/** dbt counts the rows for which the expression is false: null passes. */
function isTrue(expression: unknown, column: unknown): MappedTest {
  if (typeof expression !== 'string') return { reason: 'the expression is not a string' };
  const condition = typeof column === 'string' ? `${column} ${expression}` : expression;
  return customSql(`coalesce((${condition}), true)`);
}

/** dbt counts the values that are not null and that the other relation does not have. */
function refersTo({ column_name, to, field }: Arguments, pathOf: PathOf): MappedTest {
  const path = typeof to === 'string' ? pathOf(to) : undefined;
  if (path === undefined) return { reason: 'to: the relation it refers to is not a table of the manifest' };
  if (typeof column_name !== 'string' || typeof field !== 'string') {
    return { reason: 'it needs a column and a field' };
  }
  // A null among the values of the other relation would make every other comparison unknown.
  const values = `SELECT ${field} FROM ${path} WHERE ${field} IS NOT NULL`;
  return customSql(`${column_name} IS NULL OR ${column_name} IN (${values})`);
}

/** dbt counts the combinations that several rows have; in them a null is equal to a null. */
function occursOnce(combination: unknown, isQuoted: boolean, path: string): MappedTest {
  const columns = asList(combination);
  if (columns.length === 0 || !columns.every((name) => typeof name === 'string'))
    return { reason: 'combination_of_columns: it is not a list of columns' };
  const names = columns.map((name) => (isQuoted ? `"${name.replaceAll('"', '""')}"` : name));
  // Names of their own inside, so that the bare ones are those of the row.
  const fields = names.map((name, at) => `${name} AS repeated_${at}`).join(', ');
  const repeated = `SELECT ${fields} FROM ${path} GROUP BY ${names.join(', ')} HAVING count(*) > 1`;
  const isSame = names.map((name, at) => `repeated_${at} IS NOT DISTINCT FROM ${name}`).join(' AND ');
  return customSql(`NOT EXISTS (SELECT 1 FROM (${repeated}) AS repeated WHERE ${isSame})`);
}

/**
 * The number of rows as a condition that all rows have in common. Of a table without rows nothing is checked, which a gate
 * does not let pass.
 */
function countsBetween({ min_value, max_value, group_by, strictly }: Arguments, path: string): MappedTest {
  if (asList(group_by).length > 0) return { reason: 'group_by: a rule counts the rows of the whole table' };
  const [than, most] = strictly === true ? ['>', '<'] : ['>=', '<='];
  const bounds = [
    [than, min_value],
    [most, max_value],
  ].filter(([, value]) => value !== undefined && value !== null);
  const conditions = bounds.flatMap(([sign, value]) => {
    const number = toNumber(value);
    return number === undefined ? [] : [`(SELECT count(*) FROM ${path}) ${String(sign)} ${number}`];
  });
  if (conditions.length === 0 || conditions.length < bounds.length)
    return { reason: 'the bounds of a row count are numbers, one of them at least' };
  return customSql(conditions.join(' AND '));
}

/** The number of rows compared with that of another table. */
function countsLike(
  { compare_model, group_by, group_by_columns, factor, compare_row_condition }: Arguments,
  sign: '=' | '<',
  pathOf: PathOf,
  ownPath: string,
): MappedTest {
  const other = typeof compare_model === 'string' ? pathOf(compare_model) : undefined;
  if (other === undefined) return { reason: 'compare_model: it is not a table of the manifest' };
  if (asList(group_by).length > 0 || asList(group_by_columns).length > 0)
    return { reason: 'group_by: a rule counts the rows of the whole table' };
  if (typeof compare_row_condition === 'string')
    return { reason: 'compare_row_condition: a rule looks at every row' };
  const times = toNumber(factor ?? 1);
  if (times === undefined) return { reason: 'factor: it is not a number' };
  const count = `(SELECT count(*) FROM ${other})${times === 1 ? '' : ` * ${times}`}`;
  return customSql(`(SELECT count(*) FROM ${ownPath}) ${sign} ${count}`);
}

function customSql(sql_expression: string): MappedTest {
  return { rule: { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression } } };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
