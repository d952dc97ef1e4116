/** Rows that engines are likely to see differently: one column for each kind of value. */
export interface MessyRow {
  readonly id: number;
  readonly txt: string | null;
  readonly num: number | null;
  readonly flt: number | null;
  readonly big: bigint | null;
  readonly price: string | null;
  readonly day: string | null;
  readonly seen: string | null;
}

const values: readonly (readonly [
  string | null,
  number | null,
  number | null,
  bigint | null,
  string | null,
  string | null,
  string | null,
])[] = [
  ['plain', 1.5, 0.1, 1n, '10.00', '2024-01-31', '2024-01-31 10:00:00'],
  ['plain', 1.5, 0.1, 1n, '10.00', '2024-02-29', '2024-02-29 00:00:00'],
  ['Plain', -0, -0, 9_007_199_254_740_993n, '0.10', '2023-02-29', '2024-01-31 10:00:00'],
  ['plain ', 0, 0, 9_007_199_254_740_992n, '-0.10', '2024-02-30', '2020-12-31 23:59:59'],
  ['', NaN, NaN, -5n, '99999999.99', '', null],
  [null, null, null, null, null, null, null],
  [null, NaN, NaN, null, null, null, null],
  ['42', Infinity, Infinity, 42n, '42.00', '2024-04-31', '1999-12-31 00:00:00'],
  [' 42 ', -Infinity, -Infinity, 42n, '42.00', ' 2024-01-01', '1999-12-31 00:00:00'],
  ['4.2e1', 42, 42, 7n, '7.00', '2024-1-1', '2001-01-01 00:00:00'],
  ['+42', 42.000_000_1, 42, 8n, '8.00', '31.01.2024', '2001-01-01 00:00:00'],
  ['1_000', 1e300, 1e30, 9_223_372_036_854_775_807n, '1.00', '2000-02-29', '2001-01-01 00:00:00'],
  ['1e999', 1e-300, 1e-30, -9_223_372_036_854_775_808n, '2.00', '1900-02-29', '2001-01-01 00:00:00'],
  ['nan', 0.1, 0.25, 100n, '3.00', 'Mon, 01 Jan 2024', '2001-01-01 00:00:00'],
  ['inf', 0.3, 0.5, 101n, '4.00', 'Tue, 01 Jan 2024', '2001-01-01 00:00:00'],
  ['Zoë', 7, 7, 102n, '5.00', '2024-13-01', '2001-01-01 00:00:00'],
  ['Zoe\u0308', 8, 8, 103n, '6.00', '2024-12-31', '2001-01-01 00:00:00'],
  ['two\nlines', 9, 9, 104n, '6.50', '0000-01-01', '2001-01-01 00:00:00'],
  [
    String.raw`it's "quoted" \ ; -- 100% $$ {x:String}`,
    10,
    10,
    105n,
    '6.25',
    '2024-01-01\n',
    '2001-01-01 00:00:00',
  ],
  ['9007199254740993', 11, 11, 106n, '6.75', '20240101', '2001-01-01 00:00:00'],
  ['.5', 12, 12, 107n, '6.80', '2024/01/01', '2001-01-01 00:00:00'],
  ['-0', 13, 13, 108n, '6.90', 'Wed, 29 Feb 2012', '2001-01-01 00:00:00'],
];

/** The rows. */
export const messyRows: readonly MessyRow[] = values.map(([txt, num, flt, big, price, day, seen], at) => ({
  id: at + 1,
  txt,
  num,
  flt,
  big,
  price,
  day,
  seen,
}));

/** A rule on these rows: its column, type and configuration, and whether null is valid. */
export type RuleCase = readonly [
  column: string | null,
  type: string,
  config: Readonly<Record<string, unknown>> | undefined,
  treatNullAsValid: boolean,
];

export const ruleCases: readonly RuleCase[] = [
  ...['txt', 'num', 'flt', 'big', 'price', 'day', 'seen'].flatMap((column): RuleCase[] => [
    [column, 'NOT_NULL', undefined, false],
    [column, 'UNIQUE', undefined, false],
    [column, 'UNIQUE', undefined, true],
  ]),
  ...['txt', 'num', 'flt', 'big', 'price'].flatMap((column): RuleCase[] => [
    [column, 'RANGE', { min: 0 }, false],
    [column, 'RANGE', { max: 42 }, true],
    [column, 'RANGE', { min: 0.1, max: 42 }, false],
    [column, 'RANGE', { min: 1e-310, max: 1e308 }, false],
    [column, 'ENUM', { allowed_values: [42, 0.1, 0, 'plain'] }, false],
  ]),
  ['big', 'RANGE', { min: 9_007_199_254_740_992, max: 9_007_199_254_740_992 }, false],
  ['big', 'RANGE', { min: -1e19, max: 1e19 }, false],
  ['big', 'RANGE', { min: 0.5, max: 41.5 }, false],
  ['big', 'ENUM', { allowed_values: [9_007_199_254_740_992, '7'] }, false],
  ['txt', 'ENUM', { allowed_values: ['plain', null] }, false],
  ['txt', 'ENUM', { allowed_values: ['', 'Zoë', "it's"] }, false],
  ['txt', 'ENUM', { allowed_values: [String.raw`it's "quoted" \ ; -- 100% $$ {x:String}`] }, true],
  ['txt', 'REGEX', { pattern: '^plain' }, false],
  ['txt', 'REGEX', { pattern: 'plain$' }, true],
  ['txt', 'REGEX', { pattern: '(?i)^PLAIN$' }, false],
  ['txt', 'REGEX', { pattern: 'two.lines' }, false],
  ['txt', 'REGEX', { pattern: '(?s)two.lines' }, false],
  ['txt', 'REGEX', { pattern: '(?m)^lines$' }, false],
  ['txt', 'REGEX', { pattern: '^Zo.$' }, false],
  ['txt', 'REGEX', { pattern: String.raw`\bquoted\b` }, false],
  ['txt', 'REGEX', { pattern: String.raw`^\w+$` }, false],
  ['txt', 'REGEX', { pattern: String.raw`\\ ;` }, false],
  ['txt', 'REGEX', { pattern: "it's" }, false],
  ['txt', 'REGEX', { pattern: '^$' }, false],
  ['big', 'REGEX', { pattern: '^10' }, false],
  ['price', 'REGEX', { pattern: String.raw`^6\.` }, false],
  ['seen', 'REGEX', { pattern: '^2001-01-01' }, false],
  ['day', 'DATE_FORMAT', { format: 'YYYY-MM-DD' }, false],
  ['day', 'DATE_FORMAT', { format: 'YYYY-MM-DD' }, true],
  ['day', 'DATE_FORMAT', { format: 'YYYY-M-D' }, false],
  ['day', 'DATE_FORMAT', { format: 'YYYYMMDD' }, false],
  ['day', 'DATE_FORMAT', { format: 'DD.MM.YYYY' }, false],
  ['day', 'DATE_FORMAT', { format: 'ddd, DD MMM YYYY' }, false],
  ['day', 'DATE_FORMAT', { format: '%Y-%j' }, false],
  ['seen', 'DATE_FORMAT', { format: 'YYYY-MM-DD' }, false],
  [null, 'CUSTOM_SQL', { sql_expression: 'big > 100' }, false],
  [null, 'CUSTOM_SQL', { sql_expression: 'big > 100' }, true],
  ['big', 'CUSTOM_SQL', { sql_expression: 'big > 100 AND big < 1000' }, true],
  ['txt', 'CUSTOM_SQL', { sql_expression: "txt = 'plain' OR txt = 'it''s'" }, false],
  [null, 'CUSTOM_SQL', { sql_expression: 'big >= (SELECT min(big) FROM messy)' }, false],
  ['price', 'CUSTOM_SQL', { sql_expression: 'price > 6 OR price IS NULL' }, false],
];

/** A metric: its type and column, its percentile and what it is grouped by. */
export type MetricCase = readonly [
  type: string,
  column: string | null,
  percentile?: number | undefined,
  groupBy?: string,
];

export const metricCases: readonly MetricCase[] = [
  ['row_count', null],
  ...['txt', 'num', 'flt', 'big', 'price'].flatMap((column): MetricCase[] => [
    ['null_percent', column],
    ['distinct_count', column],
    ['duplicate_count', column],
    ['min_value', column],
    ['max_value', column],
    ['percentile', column, 50],
    ['percentile', column, 33],
  ]),
  ['avg_value', 'flt'],
  ['avg_value', 'price'],
  ['avg_value', 'txt'],
  ['percentile', 'price', 0],
  ['percentile', 'price', 100],
  ['avg_value', 'seen'],
  ['row_count', null, undefined, 'seen'],
  ['avg_value', 'price', undefined, 'txt'],
  ['distinct_count', 'txt', undefined, 'big'],
  ['row_count', null, undefined, 'num'],
];
