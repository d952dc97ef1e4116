import { describe, expect, test } from 'vitest';

import { serve } from '../../support/served.ts';

const notNull = { rule_type: 'NOT_NULL', column_name: 'id' };

describe('tables', () => {
  test('a table without rows passes with 0 percent', async () => {
    await using served = await serve({ 'header.csv': 'id,name\n', 'none.json': '[]' });
    for (const rule of [notNull, { rule_type: 'UNIQUE', column_name: 'id' }]) {
      expect(await served.check('header', rule)).toMatchObject({
        status: 'pass',
        total_rows: 0,
        invalid_count: 0,
        invalid_percent: 0,
        samples: [],
      });
    }
    expect(await served.capture('header', { metric_type: 'row_count' })).toMatchObject([{ value: 0 }]);
    expect(await served.capture('header', { metric_type: 'null_percent', column_name: 'id' })).toMatchObject([
      { value: null },
    ]);
  });

  test('what is missing is an error result that names it, and is listed', async () => {
    await using served = await serve({ 'people.csv': 'id,name\n1,a\n', 'nothing.csv': '' });
    expect(await served.check('people', { ...notNull, column_name: 'email' })).toMatchObject({
      status: 'error',
      error_message: 'shop.main.people has no column email; its columns are id, name',
    });
    expect(await served.check('peple', notNull)).toMatchObject({
      status: 'error',
      error_message:
        'there is no table shop.main.peple: did you mean shop.main.people? (the tables are shop.main.nothing, shop.main.people)',
    });
    expect(await served.check('nothing', notNull)).toMatchObject({ status: 'error' });
    const { body } = await served.call('GET', `/api/v1/sdk/validity/${served.assetId}/summary`);
    expect(body.data).toEqual({ total_rules: 3, passing: 0, failing: 0, error: 3 });
  });

  test('a broken file is an error result', async () => {
    await using served = await serve({ 'half.json': '[{"id": 1}, {"id"', 'no.parquet': 'PAR1 it is not' });
    expect(await served.check('half', notNull)).toMatchObject({ status: 'error' });
    expect(await served.check('no', notNull)).toMatchObject({ status: 'error' });
  });

  test('a file that changes, comes or goes is seen by the next check', async () => {
    await using served = await serve({ 'people.csv': 'id,name\n1,a\n' });
    const rule = await served.createRule({ ...notNull, table_path: 'shop.main.people' });
    const later = await served.createRule({ ...notNull, table_path: 'shop.eu.people' });
    expect(await served.checkAgain(rule)).toMatchObject({ status: 'pass', total_rows: 1 });
    expect(await served.checkAgain(later)).toMatchObject({ status: 'error' });
    // The same length, so that nothing but the content tells.
    await served.folder.write('people.csv', 'id,name\n ,b\n'.replace(' ,b', ',bb'));
    await served.folder.write('eu/people.csv', 'id\n7\n8\n');
    expect(await served.checkAgain(rule)).toMatchObject({
      status: 'fail',
      samples: [{ row_id: 0, value: null }],
    });
    expect(await served.checkAgain(later)).toMatchObject({ status: 'pass', total_rows: 2 });
    await served.folder.write('people.csv', 'name,id\nx,1\n');
    expect(await served.checkAgain(rule)).toMatchObject({ status: 'pass', total_rows: 1 });
  });

  test('two files of one table are an error that names both', async () => {
    await using served = await serve({ 'people.csv': 'id\n1\n', 'people.json': '[{"id":1}]' });
    expect((await served.check('people', notNull)).error_message).toMatch(/people\.csv.*people\.json/);
  });

  test('names with quotes, dots, blanks and other scripts', async () => {
    await using served = await serve({
      'my "odd" file.v2.csv': 'a ""b"",id\n1,\n'.replace('a ""b""', '"a ""b"" c.d"'),
      'größe/ünï.csv': 'näme\n\n"x"\n',
    });
    expect(
      await served.check('shop.main.my "odd" file.v2', { rule_type: 'NOT_NULL', column_name: 'a "b" c.d' }),
    ).toMatchObject({ status: 'pass', total_rows: 1 });
    expect(
      await served.check('shop.größe.ünï', {
        rule_type: 'REGEX',
        column_name: 'näme',
        rule_config: { pattern: 'x' },
      }),
    ).toMatchObject({ total_rows: 2, invalid_count: 1 });
  });
});

describe('values', () => {
  const mixed = [1, '1', 1.5, true, 'true', null, { a: 1 }, [1, 2], 'x', -1, '9'];

  test('a json column of mixed kinds', async () => {
    await using served = await serve({ 'mixed.json': JSON.stringify(mixed.map((v) => ({ v }))) });
    expect(
      await served.check('mixed', { rule_type: 'RANGE', column_name: 'v', rule_config: { min: 0, max: 2 } }),
    ).toMatchObject({
      total_rows: 11,
      samples: [3, 4, 5, 6, 7, 8, 9, 10].map((row) => ({ row_id: row, value: mixed[row] })),
    });
    expect(
      await served.check('mixed', {
        rule_type: 'ENUM',
        column_name: 'v',
        rule_config: { allowed_values: [1, true, 'x', null] },
      }),
    ).toMatchObject({
      samples: [2, 6, 7, 9, 10].map((row) => ({ row_id: row, value: mixed[row] })),
    });
    expect(await served.check('mixed', { rule_type: 'NOT_NULL', column_name: 'v' })).toMatchObject({
      samples: [{ row_id: 5, value: null }],
    });
  });

  test('a number in a csv is the text it is', async () => {
    await using served = await serve({ 'prices.csv': 'price\n1.50\n1.5\n2.00\n+3\n' });
    expect(
      await served.check('prices', {
        rule_type: 'REGEX',
        column_name: 'price',
        rule_config: { pattern: '^\\d\\.\\d\\d$' },
      }),
    ).toMatchObject({
      samples: [
        { row_id: 1, value: '1.5' },
        { row_id: 3, value: '+3' },
      ],
    });
    expect(await served.check('prices', { rule_type: 'UNIQUE', column_name: 'price' })).toMatchObject({
      status: 'pass',
    });
  });

  test('a date in a json is the text it is', async () => {
    const days = ['2024-01-31', '2024-02-30', '01/31/2024'];
    await using served = await serve({ 'days.json': JSON.stringify(days.map((day) => ({ day }))) });
    expect(
      await served.check('days', {
        rule_type: 'DATE_FORMAT',
        column_name: 'day',
        rule_config: { format: '%m/%d/%Y' },
      }),
    ).toMatchObject({ samples: [{ value: '2024-01-31' }, { value: '2024-02-30' }] });
  });

  test('a percentage is not rounded, and the threshold is exceeded, not reached', async () => {
    const lines = Array.from({ length: 3000 }, (_, row) => (row < 3 ? '""' : 'x')).join('\n');
    await using served = await serve({ 'wide.csv': `a\n${lines}\n` });
    const rule = { rule_type: 'REGEX', column_name: 'a', rule_config: { pattern: 'x' } };
    const found = await served.check('wide', { ...rule, alert_threshold_percent: 0.1 });
    expect(found).toMatchObject({ status: 'pass', invalid_count: 3, invalid_percent: 0.1 });
    expect(await served.check('wide', { ...rule, alert_threshold_percent: 0.0999 })).toMatchObject({
      status: 'fail',
    });
  });

  test('a bad pattern or format is refused on create and named', async () => {
    await using served = await serve({ 'a.csv': 'a\n1\n' });
    const rule = { table_path: 'shop.main.a', column_name: 'a' };
    for (const [body, field] of [
      [{ rule_type: 'REGEX', rule_config: { pattern: '[a-' } }, 'rule_config.pattern'],
      [{ rule_type: 'REGEX', rule_config: { pattern: '(?=x)' } }, 'rule_config.pattern'],
      [{ rule_type: 'DATE_FORMAT', rule_config: { format: '%Q' } }, 'rule_config.format'],
      [{ rule_type: 'DATE_FORMAT', rule_config: { format: '---' } }, 'rule_config.format'],
    ] as const) {
      const { status, body: answer } = await served.call('POST', `/api/v1/sdk/validity/${served.assetId}`, {
        ...rule,
        ...body,
      });
      expect(status).toBe(400);
      expect(answer.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { field } });
    }
  });
});
