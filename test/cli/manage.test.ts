import { expect, test } from 'vitest';

import { dqHere } from '../support/dq-here.ts';
import { assetId, serveFake } from '../support/served-fake.ts';

test('rules are changed, disabled and enabled', async () => {
  await using served = await serveFake();
  const { uuid } = await served.rule('id');
  const { env, client } = served;
  const update = [
    'rules',
    'update',
    uuid,
    '--severity',
    'critical',
    '--threshold',
    '0.5',
    '--nulls-are-valid',
  ];
  expect(await dqHere(update, { env })).toMatchObject({ code: 0 });
  expect(await client.validity.get(assetId, uuid)).toMatchObject({
    severity: 'critical',
    alert_threshold_percent: 0.5,
    treat_null_as_valid: true,
    name: 'id',
  });
  expect((await dqHere(['rules', 'disable', uuid], { env })).stdout).toBe(`Disabled ${uuid}.\n`);
  expect(await client.validity.get(assetId, uuid)).toMatchObject({ is_active: false });
  expect(JSON.parse((await dqHere(['rules', 'enable', uuid, '--json'], { env })).stdout)).toEqual({
    enabled: [uuid],
  });
  expect(await client.validity.get(assetId, uuid)).toMatchObject({ is_active: true });
});

test('metrics are shown, changed and deleted', async () => {
  await using served = await serveFake();
  const { id } = await served.metric();
  const { env, client } = served;
  expect((await dqHere(['metrics', 'get', id], { env })).stdout).toMatch(/^metric_type +row_count$/m);
  const update = ['metrics', 'update', id, '--sensitivity', '0.6', '--no-active', '--interval', 'hourly'];
  expect(await dqHere(update, { env })).toMatchObject({ code: 0 });
  expect(await client.metrics.get(assetId, id)).toMatchObject({
    sensitivity: 0.6,
    is_active: false,
    capture_interval: 'hourly',
  });
  const refused = await dqHere(['metrics', 'delete', id, 'm_none'], { env });
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain('No metric m_none. Nothing was deleted.');
  expect(JSON.parse((await dqHere(['metrics', 'delete', id, '--json'], { env })).stdout)).toEqual({
    deleted: [id],
  });
});

test('what is wrong is said in the words of the flags', async () => {
  const env = {
    DATA_QUALITY_BASE_URL: 'http://dq.test',
    DATA_QUALITY_API_KEY: 'key',
    DATA_QUALITY_ASSET: assetId,
  };
  const create = ['rules', 'create', '--table', 'a.b.c'];
  for (const [args, error] of [
    [[...create, '--type', 'REGEX', '--column', 'x'], 'REGEX needs --pattern.'],
    [[...create, '--type', 'RANGE', '--column', 'x'], 'RANGE needs --min or --max.'],
    [[...create, '--type', 'NOT_NULL', '--column', 'x', '--pattern', 'y'], 'NOT_NULL takes no --pattern.'],
    [[...create, '--type', 'UNIQUE'], 'UNIQUE needs --column.'],
    [['metrics', 'create', '--table', 'a.b.c', '--type', 'avg_value'], 'avg_value needs --column.'],
    [['rules', 'check', 'rules.yaml'], 'dq rules check --local <folder> rules.yaml'],
    [['rules', 'list'], 'use https, or give --allow-insecure-http'],
    [['rules', 'update', 'v_1'], 'What is to change?'],
  ] as const) {
    const run = await dqHere(args, { env });
    expect({ args, ...run }).toMatchObject({ args, code: 2, stdout: '' });
    expect(run.stderr).toContain(error);
  }
});

test('a table is as wide as the terminal at most, and says what it leaves out', async () => {
  await using served = await serveFake();
  const { uuid } = await served.rule('a_rather_long_name_of_a_rule_that_nobody_needs_to_read_to_its_end');
  const { env } = served;
  for (const columns of [60, 80, 120]) {
    const { stdout } = await dqHere(['rules', 'list'], { env: { ...env, COLUMNS: String(columns) } });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines[1]).toContain(uuid);
  }
  const narrow = await dqHere(['rules', 'list'], { env: { ...env, COLUMNS: '60' } });
  expect(narrow.stderr).toContain('Too narrow for TABLE, COLUMN,');
  expect((await dqHere(['rules', 'list'], { env })).stdout).toContain('to_read_to_its_end');
});
