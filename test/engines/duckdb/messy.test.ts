import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sample, serve, type Served } from '../../support/served.ts';

/** Rows as they are, worked on in plain TypeScript. */
const rows = [
  { id: '1', name: 'plain', amount: '10', day: '2024-01-31' },
  { id: '2', name: 'quoted, with "marks"', amount: '-3.5', day: '2024-02-29' },
  { id: '3', name: 'two\nlines', amount: 'many', day: '2023-02-29' },
  { id: '4', name: '', amount: '', day: '' },
  { id: '5', name: '# no comment', amount: '1e2', day: '2024-2-1' },
  { id: '5', name: 'Zoë 🦄 漢字', amount: '007', day: ' 2024-01-01' },
  { id: '007', name: "it's; 100% \\ 'fine'", amount: '1_000', day: '2024-13-01' },
  { id: '', name: '  spaced  ', amount: 'inf', day: '31.01.2024' },
  { id: '', name: 'plain', amount: '101', day: '2024-04-31' },
] as const;

type Name = keyof (typeof rows)[number];
const names = ['id', 'name', 'amount', 'day'] as const;

function field(text: string): string {
  return text === '' ? '' : `"${text.replaceAll('"', '""')}"`;
}

function csv(separator: string): string {
  return [
    names.join(separator),
    ...rows.map((row) => names.map((name) => field(row[name])).join(separator)),
    '',
  ].join('\n');
}

const objects = rows.map((row) =>
  Object.fromEntries(names.map((name) => [name, row[name] === '' ? null : row[name]])),
);

const files: Readonly<Record<string, string | Uint8Array>> = {
  'comma.csv': csv(','),
  'crlf.csv': csv(',').replaceAll('\n', '\r\n').replaceAll('two\r\nlines', 'two\nlines'),
  'semicolon.csv': csv(';'),
  'tab.tsv': csv('\t'),
  'packed.csv.gz': gzipSync(csv(',')),
  'array.json': JSON.stringify(objects, null, 2),
  'lines.ndjson': objects.map((row) => JSON.stringify(row)).join('\n'),
  'more.jsonl': `${objects.map((row) => JSON.stringify(row)).join('\n')}\n`,
};

function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
}

function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

interface Case {
  readonly title: string;
  readonly column: Name;
  readonly rule: Readonly<Record<string, unknown>>;
  readonly valid: (text: string) => boolean;
}

const cases: readonly Case[] = [
  { title: 'NOT_NULL', column: 'name', rule: { rule_type: 'NOT_NULL' }, valid: () => true },
  {
    title: 'UNIQUE',
    column: 'id',
    rule: { rule_type: 'UNIQUE' },
    valid: (text) => rows.filter(({ id }) => id === text).length === 1,
  },
  {
    title: 'REGEX contains',
    column: 'name',
    rule: { rule_type: 'REGEX', rule_config: { pattern: 'plain|\\p{So}|\\n' } },
    valid: (text) => /plain|\p{So}|\n/u.test(text),
  },
  {
    title: 'REGEX of a text with leading zeros',
    column: 'id',
    rule: { rule_type: 'REGEX', rule_config: { pattern: '^\\d{3}$' } },
    valid: (text) => /^\d{3}$/.test(text),
  },
  {
    title: 'REGEX with quotes',
    column: 'name',
    rule: { rule_type: 'REGEX', rule_config: { pattern: `['"\\\\]` } },
    valid: (text) => /['"\\]/.test(text),
  },
  {
    title: 'RANGE',
    column: 'amount',
    rule: { rule_type: 'RANGE', rule_config: { min: 0, max: 100 } },
    valid: (text) => isNumber(text) && Number(text) >= 0 && Number(text) <= 100,
  },
  {
    title: 'RANGE with one bound',
    column: 'amount',
    rule: { rule_type: 'RANGE', rule_config: { min: -3.5 } },
    valid: (text) => isNumber(text) && Number(text) >= -3.5,
  },
  {
    title: 'ENUM of texts',
    column: 'name',
    rule: { rule_type: 'ENUM', rule_config: { allowed_values: ['plain', "it's; 100% \\ 'fine'", 'PLAIN'] } },
    valid: (text) => ['plain', "it's; 100% \\ 'fine'"].includes(text),
  },
  {
    title: 'ENUM of numbers',
    column: 'amount',
    rule: { rule_type: 'ENUM', rule_config: { allowed_values: [7, 100, 10] } },
    valid: (text) => isNumber(text) && [7, 100, 10].includes(Number(text)),
  },
  {
    title: 'DATE_FORMAT by tokens',
    column: 'day',
    rule: { rule_type: 'DATE_FORMAT', rule_config: { format: 'YYYY-MM-DD' } },
    valid: isDay,
  },
];

let served: Served;
beforeAll(async () => {
  served = await serve(files);
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

const tables = Object.keys(files).map((file) => file.split('.', 1)[0] ?? '');

describe.each(tables)('%s', (table) => {
  describe.each(table === 'comma' || table === 'array' ? [false, true] : [false])(
    'treat_null_as_valid: %s',
    (treatNullAsValid) => {
      test.each(cases)('$title', async ({ column, rule, valid }) => {
        const isNullValid = treatNullAsValid && rule['rule_type'] !== 'NOT_NULL';
        const invalid = rows.flatMap((row, at): Sample[] => {
          const text = row[column];
          if (text === '') return isNullValid ? [] : [{ row_id: at, value: null }];
          return valid(text) ? [] : [{ row_id: at, value: text }];
        });
        const body = { ...rule, column_name: column, treat_null_as_valid: treatNullAsValid };
        expect(await served.check(table, body, 100)).toEqual({
          status: invalid.length === 0 ? 'pass' : 'fail',
          total_rows: rows.length,
          invalid_count: invalid.length,
          invalid_percent: (100 * invalid.length) / rows.length,
          error_message: undefined,
          samples: invalid,
        });
        if (table !== 'comma') return;
        // Fewer samples are the first of them.
        const few = await served.check(table, body, 2);
        expect(few.samples).toEqual(invalid.slice(0, 2));
        expect(few.invalid_count).toBe(invalid.length);
        expect((await served.check(table, body, 0)).samples).toEqual([]);
      });
    },
  );
});
