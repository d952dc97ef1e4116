import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { dq } from '../support/dq.ts';
import { dqHere } from '../support/dq-here.ts';
import { assetId, type ServedFake, serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

const folder = mkdtempSync(join(testFolder, 'dq-commands-'));
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
      'model.shop.orders': { unique_id: 'model.shop.orders', resource_type: 'model', name: 'orders' },
    },
    sources: {},
    parent_map: { 'model.shop.orders': [] },
  }),
);
const noId = 'v_00000000-0000-4000-8000-000000000000';

interface Case {
  readonly args: readonly string[];
  readonly code: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly arrange?: (served: ServedFake) => Promise<unknown> | void;
}

const readOnly = { DATA_QUALITY_API_KEY: 'fake-read-only' };
const refuse = (served: ServedFake): void =>
  served.fake.failNext({ status: 429, retryAfter: 3600, times: 100 });
const stale = (served: ServedFake): void => served.fake.setFreshness(assetId, { status: 'stale' });
const fresh = (served: ServedFake): void => served.fake.setFreshness(assetId, { status: 'fresh' });
const unknown = (served: ServedFake): void => served.fake.setFreshness(assetId, { status: 'unknown' });
const newRule = ['rules', 'create', '--type', 'not_null', '--table', 'shop.sales.orders'];
const newMetric = ['metrics', 'create', '--table', 'shop.sales.orders'];

const cases: readonly Case[] = [
  { args: ['rules', 'list'], code: 0, arrange: (served) => served.rule('id') },
  { args: ['rules', 'list', '--limit', '0'], code: 2 },
  { args: ['rules', 'list'], code: 5, arrange: refuse },
  { args: ['rules', 'list', '--asset', '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0aff'], code: 4 },
  { args: ['rules', 'get', noId], code: 4 },
  { args: ['rules', 'get', ''], code: 2 },
  { args: ['rules', 'results', noId], code: 4 },
  { args: [...newRule, '--column', 'id'], code: 0 },
  { args: newRule, code: 2 },
  { args: [...newRule, '--column', 'id'], code: 3, env: readOnly },
  { args: ['rules', 'delete', noId], code: 4 },
  { args: ['rules', 'update', noId, '--severity', 'info'], code: 4 },
  { args: ['rules', 'update', noId], code: 2 },
  { args: ['rules', 'summary'], code: 0 },
  { args: ['rules', 'check', 'rules.yaml'], code: 2 },
  { args: ['assets'], code: 2 },
  { args: ['tables'], code: 2 },
  { args: ['lineage', 'show'], code: 2 },
  { args: ['metrics', 'get', 'm_none'], code: 4 },
  { args: ['metrics', 'update', 'm_none', '--no-active'], code: 4 },
  { args: ['metrics', 'delete', 'm_none'], code: 4 },
  { args: ['metrics', 'summary'], code: 0 },
  { args: ['rules', 'check'], code: 0, arrange: (served) => served.rule('id') },
  { args: ['rules', 'check'], code: 6 },
  { args: ['rules', 'check', noId], code: 4 },
  { args: ['rules', 'check', '--local', folder, 'nothing.yaml'], code: 2 },
  { args: ['rules', 'plan', definition], code: 0 },
  { args: ['rules', 'plan', join(folder, 'none.yaml')], code: 2 },
  { args: ['rules', 'plan', definition, '--exit-code'], code: 1 },
  {
    args: ['rules', 'apply', definition, '--strict'],
    code: 1,
    arrange: (served) => served.rule('not_in_the_definition'),
  },
  { args: ['rules', 'apply', definition, '--strict'], code: 0 },
  {
    args: ['rules', 'apply', definition, '--strict', '--prune'],
    code: 0,
    arrange: (served) => served.rule('not_in_the_definition'),
  },
  { args: ['rules', 'apply', definition], code: 0 },
  { args: ['rules', 'apply', definition], code: 3, env: readOnly },
  { args: ['rules', 'export'], code: 0, arrange: (served) => served.rule('id') },
  { args: ['rules', 'import-dbt', manifest], code: 0 },
  { args: ['rules', 'import-dbt', definition], code: 2 },
  { args: ['rules', 'import-dbt', manifest, '--table-path', 'x.{foo}'], code: 2 },
  { args: ['rules', 'import-dbt', manifest, '--table-path', 'x.y.z'], code: 2 },
  { args: ['metrics', 'list'], code: 0, arrange: (served) => served.metric() },
  { args: [...newMetric, '--type', 'row_count'], code: 0 },
  { args: [...newMetric, '--type', 'avg_value'], code: 2 },
  { args: ['metrics', 'capture'], code: 0, arrange: (served) => served.metric() },
  { args: ['metrics', 'capture'], code: 6 },
  {
    args: ['metrics', 'capture'],
    code: 1,
    arrange: async (served) => {
      const { id } = await served.metric();
      served.fake.setMetricValue(id, { value: 1, is_anomaly: true, status: 'FAIL' });
    },
  },
  { args: ['metrics', 'snapshots', 'm_none'], code: 4 },
  { args: ['metrics', 'accept', 'm_none'], code: 4 },
  { args: ['metrics', 'backtest', 'm_none'], code: 4 },
  { args: ['metrics', 'backtest', 'm_none', '--sensitivity', '0'], code: 2 },
  { args: ['freshness', 'get'], code: 0, arrange: fresh },
  { args: ['freshness', 'get'], code: 1, arrange: stale },
  { args: ['freshness', 'get'], code: 6, arrange: unknown },
  { args: ['freshness', 'get'], code: 6 },
  { args: ['freshness', 'get', '--max-age', 'soon'], code: 2 },
  { args: ['freshness', 'wait'], code: 0, arrange: fresh },
  { args: ['freshness', 'wait', '--for', '50ms', '--interval', '10ms'], code: 1, arrange: stale },
  { args: ['freshness', 'wait', '--for', '50ms', '--interval', '10ms'], code: 6, arrange: unknown },
  { args: ['lineage', 'upload', manifest], code: 0 },
  { args: ['lineage', 'upload', join(folder, 'none.json')], code: 2 },
  {
    args: ['lineage', 'upload', manifest],
    code: 6,
    arrange: (served) => served.fake.failNext({ status: 500 }),
  },
  { args: ['report', '--output', join(folder, 'report.html')], code: 0 },
  { args: ['report', '--output', join(folder, 'none', 'report.html')], code: 2 },
  { args: ['report'], code: 3, env: { DATA_QUALITY_API_KEY: 'wrong' } },
  { args: ['doctor'], code: 0 },
  { args: ['doctor'], code: 0, env: readOnly },
  { args: ['doctor'], code: 3, env: { DATA_QUALITY_API_KEY: 'wrong' } },
  { args: ['doctor'], code: 6, env: { DATA_QUALITY_BASE_URL: 'http://127.0.0.1:1' } },
];

describe.each(cases)('dq $args → $code', ({ args, code, env = {}, arrange }) => {
  test('as text and as JSON', async () => {
    await using served = await serveFake();
    await arrange?.(served);
    const settings = { env: { ...served.env, ...env }, cwd: folder };
    const flags = args[1] === 'import-dbt' ? [] : ['--retries', '0'];
    const text = await dqHere([...args, ...flags], settings);
    expect(text).toMatchObject({ code });

    served.fake.reset();
    await arrange?.(served);
    const json = await dqHere([...args, ...flags, '--json'], settings);
    expect(json).toMatchObject({ code });
    expect(readJson(json.stdout) ?? (json.stderr.includes('error:') && code !== 0)).toBeTruthy();
  });
});

/** The data, which is all there is on standard output; undefined if there is none. */
function readJson(stdout: string): unknown {
  return stdout === '' ? undefined : JSON.parse(stdout);
}

test('every command prints help with an example', async () => {
  const commands = [
    ...['gate', 'report', 'serve', 'doctor', 'completion'].map((name) => [name]),
    ...['assets', 'tables', 'init'].map((name) => [name]),
    ...['list', 'get', 'create', 'update', 'enable', 'disable', 'check', 'results', 'summary', 'delete'].map(
      (name) => ['rules', name],
    ),
    ...['plan', 'apply', 'export', 'import-dbt'].map((name) => ['rules', name]),
    ...['list', 'get', 'create', 'update', 'delete', 'capture', 'snapshots', 'summary'].map((name) => [
      'metrics',
      name,
    ]),
    ...['get', 'wait'].map((name) => ['freshness', name]),
    ...['upload', 'show'].map((name) => ['lineage', name]),
    ...['listen', 'send'].map((name) => ['webhook', name]),
    ['auth', 'login'],
  ];
  for (const command of commands) {
    const { code, stdout } = await dqHere(['help', ...command]);
    expect({ command, code }).toMatchObject({ code: 0 });
    expect(stdout).toContain(`dq ${command.join(' ')} `);
    expect(stdout).toMatch(new RegExp(`\\$ .*dq ${command.join(' ')}\\b`));
  }
  for (const group of ['rules', 'metrics', 'freshness', 'lineage', 'webhook', 'auth']) {
    expect((await dqHere([group, '--help'])).stdout).toMatch(new RegExp(`^ {2}\\$ .*dq ${group} `, 'm'));
  }
});

test('wrong words are wrong usage', async () => {
  for (const args of [[], ['nope'], ['rules'], ['rules', 'nope'], ['rules', 'get'], ['gate', '--nope']]) {
    expect(await dqHere(args)).toMatchObject({ code: 2, stdout: '' });
  }
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await dq(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('uses colours only if they are wanted', async () => {
  await using served = await serveFake();
  await served.rule('id');
  const plain = await dq(['rules', 'list'], { env: served.env });
  expect(plain.stdout).not.toContain('\u001b');
  const forced = await dq(['rules', 'list'], { env: { ...served.env, FORCE_COLOR: '1' } });
  expect(forced.stdout).toContain('\u001b');
  const refused = await dq(['rules', 'list'], { env: { ...served.env, FORCE_COLOR: '1', NO_COLOR: '1' } });
  expect(refused.stdout).not.toContain('\u001b');
});

test('what the service stores can not rewrite the screen', async () => {
  await using served = await serveFake();
  await served.rule('id\u001b[2Jx');
  const { stdout } = await dq(['rules', 'list'], { env: served.env });
  expect(stdout).toContain('id\u{fffd}[2Jx');
});

test('a list says that there is more, and --all lists it', async () => {
  await using served = await serveFake();
  for (let at = 0; at < 5; at++) await served.rule(`column_${at}`);
  const some = await dq(['rules', 'list', '--limit', '3', '--json'], { env: served.env });
  expect(JSON.parse(some.stdout)).toHaveLength(3);
  expect(some.stderr).toContain('--all');
  const all = await dq(['rules', 'list', '--all', '--json'], { env: served.env });
  expect(JSON.parse(all.stdout)).toHaveLength(5);
  expect(all.stderr).toBe('');
});
