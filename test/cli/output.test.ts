import { expect, test } from 'vitest';

import { dq, startDq } from '../support/dq.ts';
import { dqHere } from '../support/dq-here.ts';
import { serveFake } from '../support/served-fake.ts';

test('two outputs on standard output are refused before anything is asked', async () => {
  await using served = await serveFake();
  for (const args of [
    ['gate', '--json', '-o', 'markdown=-'],
    ['gate', '-o', 'json=-', '-o', 'text=-'],
    ['rules', 'export', '--json', '-o', '-'],
    ['rules', 'import-dbt', 'manifest.json', '--json', '-o', '-'],
  ]) {
    const run = await dqHere(args, { env: served.env });
    expect({ args, ...run }).toMatchObject({ args, code: 2, stdout: '' });
    expect(run.stderr).toContain('would mix on standard output');
  }
  expect(served.fake.requests).toHaveLength(0);
});

test('- is standard output wherever a file can be named', async () => {
  await using served = await serveFake();
  await served.rule('id');
  expect((await dqHere(['rules', 'export', '-o', '-'], { env: served.env })).stdout).toContain('NOT_NULL');
  expect((await dqHere(['gate', '-o', 'junit=-'], { env: served.env })).stdout).toMatch(/^<\?xml/);
  const report = await dqHere(['report', '-o', '-'], { env: served.env });
  expect(report).toMatchObject({ code: 0, stderr: '' });
  expect(report.stdout).toMatch(/^<!doctype html>/);
});

test('filters are held against what exists', async () => {
  for (const [args, meant] of [
    [['rules', 'list', '--type', 'regex'], 'Did you mean REGEX?'],
    [['rules', 'list', '--type', 'FOO'], 'Valid values: NOT_NULL, UNIQUE,'],
    [['gate', '--severity', 'critcal'], 'Did you mean critical?'],
    [['gate', '--rule-type', 'FOO'], 'Valid values: NOT_NULL,'],
    [['gate', '--metric-type', 'rowcount'], 'Did you mean row_count?'],
    [['metrics', 'list', '--type', 'ROW_COUNT'], 'Did you mean row_count?'],
    [['webhook', 'send', 'http://localhost', '--type', 'schema'], 'Valid values: schema_change,'],
    [['gate', '--fail-on', 'critcal'], 'Did you mean critical?'],
  ] as const) {
    const run = await dqHere(args);
    expect({ args, ...run }).toMatchObject({ args, code: 2, stdout: '' });
    expect(run.stderr).toContain(meant);
  }
});

test('what the service advises is shown', async () => {
  await using served = await serveFake();
  served.fake.failNext({
    status: 404,
    body: JSON.stringify({
      error: {
        code: 'ASSET_NOT_FOUND',
        message: 'No such asset.',
        details: { suggestion: 'Assets of this service: a1' },
      },
    }),
    times: 9,
  });
  const list = await dqHere(['rules', 'list'], { env: served.env });
  expect(list.stderr).toContain('\nAssets of this service: a1\n');
  const gate = await dqHere(['gate', '--json'], { env: served.env });
  expect(gate.stdout).toContain('"suggestion": "Assets of this service: a1"');
  expect((await dqHere(['gate'], { env: served.env })).stdout).toContain('Assets of this service: a1');
});

test('--verbose prints the requests and never the key, --quiet prints nothing but the data', async () => {
  await using served = await serveFake();
  for (let at = 0; at < 3; at++) await served.rule(`column_${at}`);
  const verbose = await dq(['rules', 'list', '--verbose'], { env: served.env });
  expect(verbose.stderr).toMatch(/^GET \/api\/v1\/sdk\/validity\/\S+ → 200 in \d+ ms$/m);
  expect(verbose.stderr).not.toContain(served.env.DATA_QUALITY_API_KEY);
  const quiet = await dq(['rules', 'list', '--limit', '1', '--quiet'], { env: served.env });
  expect(quiet).toMatchObject({ code: 0, stderr: '' });
});

test('a log gets no lines of progress', async () => {
  await using served = await serveFake();
  await served.rule('id');
  expect(await dqHere(['gate'], { env: served.env })).toMatchObject({ code: 0, stderr: '' });
});

test('a path in a table that is too wide keeps its end', async () => {
  await using served = await serveFake();
  await served.rule('id');
  const { stdout } = await dqHere(['rules', 'list'], { env: { ...served.env, COLUMNS: '100' } });
  expect(stdout).toMatch(/ {2}…\S*orders {2}/);
});

test.each([
  ['ruls', '--help'],
  ['help', 'ruls'],
  ['rules', 'lst', '--help'],
])('help for a command that does not exist is an error that names one: %s %s', async (...words) => {
  const run = await dqHere(words);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(/unknown command '\w+'\n\(Did you mean \w+\?\)/);
});

test('a pipe that is closed early does not open a gate', async () => {
  await using served = await serveFake();
  const rule = await served.rule('id');
  served.fake.setCheckResult(rule.uuid, { total_rows: 10, invalid_count: 1 });
  const run = startDq(['gate'], { env: served.env });
  run.closeOutput();
  expect(await run.ended).toMatchObject({ code: 1 });
});

test('dq report --allow-empty takes a table without rows for a pass, as dq gate does', async () => {
  await using served = await serveFake();
  const rule = await served.rule('id');
  served.fake.setCheckResult(rule.uuid, { total_rows: 0, invalid_count: 0 });
  const outcome = async (...flags: readonly string[]): Promise<unknown> => {
    const { stdout } = await dqHere(['report', '--check', '--json', ...flags], { env: served.env });
    return (JSON.parse(stdout) as { readonly outcome: unknown }).outcome;
  };
  expect([await outcome(), await outcome('--allow-empty')]).toEqual(['inconclusive', 'passed']);
});

test('waits for the rate limit are reported without lines of the client beside them', async () => {
  await using served = await serveFake();
  for (let at = 0; at < 3; at++) await served.rule(`column_${at}`);
  served.fake.failNext({ on: 'POST *check', status: 429, retryAfter: 1, times: 3 });
  const run = await dqHere(['gate'], { env: served.env });
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(Waiting [\d.]+ s: .+\n)+$/) });
});
