import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { listen } from '../service/listen.ts';
import { dqHere } from '../support/dq-here.ts';
import { assetId, serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

/** Clears the screen, names the window, ends lines, changes direction, and gives a CI runner commands. */
const hostile =
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp\u2066\r\n::error::injected\n  ::add-mask::x\n##[error]injected ##vso[task.complete]';

const folder = mkdtempSync(join(testFolder, 'dq-hostile-'));
const definition = join(folder, 'rules.yaml');
writeFileSync(
  definition,
  'tables:\n  shop.sales.orders:\n    rules:\n      - { rule_type: NOT_NULL, column_name: id }\n',
);
const manifest = join(folder, 'manifest.json');
writeFileSync(
  manifest,
  JSON.stringify({
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: {
      'model.shop.orders': {
        unique_id: 'model.shop.orders',
        resource_type: 'model',
        name: 'orders',
        schema: 'main',
      },
      'test.shop.t': {
        unique_id: 'test.shop.t',
        resource_type: 'test',
        name: `t${hostile}`,
        attached_node: 'model.shop.orders',
        column_name: 'id',
        test_metadata: { name: 'not_null', kwargs: {} },
        config: { where: hostile },
      },
    },
    sources: {},
    parent_map: {},
  }),
);

/** What is printed must be text, line ends aside, and no line a command other than the annotations of our own. */
function expectHarmless(args: readonly string[], printed: string): void {
  const found = printed.match(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  const commands = printed
    .split('\n')
    .filter((line) => /^\s*::(?!(error|warning) title=Data quality)|##\[|##vso\[/.test(line))
    .filter((line) => !/^::(error|warning) title=Data quality/.test(line));
  expect({ args, found: found && JSON.stringify(printed), commands }).toEqual({
    args,
    found: null,
    commands: [],
  });
}

const rule = 'v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f';
const metric = 'm_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
const commands: readonly (readonly string[])[] = [
  ['gate', '--freshness', '--metrics'],
  ['gate', '--json'],
  ['rules', 'list'],
  ['rules', 'get', rule],
  ['rules', 'create', '--type', 'NOT_NULL', '--table', 'shop.sales.orders', '--column', 'id'],
  ['rules', 'check', rule],
  ['rules', 'results', rule],
  ['rules', 'delete', rule],
  ['rules', 'plan', definition],
  ['rules', 'apply', definition],
  ['rules', 'export'],
  ['rules', 'import-dbt', manifest],
  ['metrics', 'list'],
  ['metrics', 'create', '--type', 'row_count', '--table', 'shop.sales.orders'],
  ['metrics', 'capture'],
  ['metrics', 'snapshots', metric],
  ['metrics', 'accept', metric],
  ['metrics', 'backtest', metric],
  ['freshness', 'get'],
  ['freshness', 'wait', '--for', '10ms'],
  ['lineage', 'upload', manifest],
  ['report', '--output', join(folder, 'report.html')],
  ['doctor'],
];

describe('errors of a hostile service', () => {
  test.each(commands.map((args) => [args]))('dq %j prints them as text', async (args) => {
    const server = await listen(async () =>
      Response.json(
        {
          error: {
            code: `X${hostile}`,
            message: hostile,
            details: { suggestion: hostile, [hostile]: hostile },
          },
        },
        { status: 500, headers: { 'x-request-id': 'a\u009bb' } },
      ),
    );
    const env = {
      DATA_QUALITY_BASE_URL: server.url,
      DATA_QUALITY_API_KEY: 'key',
      DATA_QUALITY_ASSET: assetId,
      GITHUB_ACTIONS: 'true',
    };
    const connection = args[1] === 'import-dbt' ? [] : ['--retries', '0', '--verbose'];
    const { stdout, stderr } = await dqHere([...args, ...connection], { env });
    await server.close();
    expect(stdout + stderr).toContain('injected');
    expectHarmless(args, stdout + stderr);
  });
});

test('what a hostile service stores is printed as text, and is the same data as JSON', async () => {
  await using served = await serveFake();
  const { uuid } = await served.rule(`id${hostile}`);
  const { id } = await served.metric();
  served.fake.setMetricValue(id, { value: 1, is_anomaly: true, status: `FAIL${hostile}` as 'FAIL' });
  const env = { ...served.env, GITHUB_ACTIONS: 'true' };
  for (const args of [
    ['rules', 'list'],
    ['rules', 'get', uuid],
    ['rules', 'export'],
    ['gate', '--metrics'],
    ['metrics', 'capture'],
    ['metrics', 'snapshots', id],
  ]) {
    const { stdout, stderr } = await dqHere(args, { env });
    expectHarmless(args, stdout + stderr);
  }
  const { stdout } = await dqHere(['rules', 'list', '--json'], { env });
  expectHarmless(['--json'], stdout);
  expect(JSON.parse(stdout)).toMatchObject([{ name: `id${hostile}` }]);
});

test('a secret in the query of the address is not shown', async () => {
  for (const url of ['https://dq.test/?token=s3cret', 'dq.test/?token=s3cret', 'http://dq.test/#s3cret']) {
    const run = await dqHere(['rules', 'list', '--base-url', url, '--api-key', 'key', '--asset', 'a']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).not.toContain('s3cret');
  }
});
