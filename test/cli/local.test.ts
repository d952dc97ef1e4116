import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { dq, type Run, startDq } from '../support/dq.ts';
import { testFolder } from '../support/test-folder.ts';

// Most tests here run the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const folder = mkdtempSync(join(testFolder, 'dq-local-'));
const data = join(folder, 'shop');
const definition = join(folder, 'rules.yaml');
const table = 'shop.main.orders';

const dbtManifest = {
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
  nodes: Object.fromEntries(
    ['raw_orders', 'orders'].map((name) => [
      `model.shop.${name}`,
      { unique_id: `model.shop.${name}`, resource_type: 'model', name },
    ]),
  ),
  sources: {},
  parent_map: { 'model.shop.raw_orders': [], 'model.shop.orders': ['model.shop.raw_orders'] },
};

let service: ReturnType<typeof startDq>;
let env: Record<string, string>;
let applied: Run;

beforeAll(async () => {
  mkdirSync(data);
  writeFileSync(join(data, 'orders.csv'), 'id,email\n1,ann@example.com\n2,nobody\n3,\n');
  writeFileSync(
    definition,
    `tables:
  ${table}:
    rules:
      - { name: known, rule_type: NOT_NULL, column_name: id, severity: critical }
      - { name: reachable, rule_type: REGEX, column_name: email, rule_config: { pattern: '@' } }
    metrics:
      - { metric_type: row_count }
`,
  );
  service = startDq(['serve', data, '--port', '0', '--read-only-key', 'read-only-key', '--json']);
  const { url, keys, assets } = JSON.parse(await service.says('\n')) as {
    url: string;
    keys: { readWrite: string };
    assets: [{ id: string }];
  };
  env = {
    DATA_QUALITY_BASE_URL: url,
    DATA_QUALITY_API_KEY: keys.readWrite,
    DATA_QUALITY_ASSET: assets[0].id,
  };
  applied = await dq(['rules', 'apply', definition], { env });
}, 60_000);

afterAll(async () => {
  service.interrupt();
  await service.ended;
});

test('a definition is tried on files, applied, checked and reported', async () => {
  const tried = await dq(['rules', 'check', '--local', data, definition, '--json']);
  expect(tried).toMatchObject({ code: 1 });
  expect(checksOf(tried.stdout)).toEqual([
    ['known', 'passed', 0],
    ['reachable', 'failed', 2],
  ]);

  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain('3 changes made.');
  const again = await dq(['rules', 'plan', definition, '--json'], { env });
  expect(JSON.parse(again.stdout)).toMatchObject({ create: [], update: [], replace: [], delete: [] });

  expect(await dq(['gate', '--metrics'], { env })).toMatchObject({ code: 1 });
  expect(await dq(['gate', '--fail-on', 'critical'], { env })).toMatchObject({ code: 0 });
  expect(await dq(['gate', '--freshness'], { env })).toMatchObject({ code: 1 });
  expect(await dq(['gate', '--no-rules', '--freshness'], { env })).toMatchObject({ code: 6 });
  expect(await dq(['doctor'], { env })).toMatchObject({ code: 0 });

  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify(dbtManifest));
  expect(await dq(['lineage', 'upload', manifest], { env })).toMatchObject({ code: 0 });
  const output = join(folder, 'report.html');
  expect(await dq(['report', '--check', '--output', output], { env })).toMatchObject({ code: 0 });
  const page = readFileSync(output, 'utf8');
  expect(page).toMatch(/2\s+of\s+3\s+rows\s+are\s+invalid\s+\(66\.67\s%\)/);
  expect(page).toContain('<code>nobody</code>');
  expect(page).toContain('<b>orders</b> from raw_orders');
});

test('a rule that can not be evaluated is not good data', async () => {
  const broken = join(folder, 'broken.yaml');
  writeFileSync(
    broken,
    `tables:\n  ${table}:\n    rules:\n      - { rule_type: NOT_NULL, column_name: none }\n`,
  );
  expect(await dq(['rules', 'check', '--local', data, broken])).toMatchObject({ code: 6 });
});

test.each([
  { why: 'an invalid key', args: ['--api-key', 'wrong'], code: 3 },
  { why: 'a key without the scope', args: ['--api-key', 'read-only-key'], code: 3 },
  { why: 'no such asset', args: ['--asset', '00000000-0000-4000-8000-000000000000'], code: 4 },
  { why: 'no such rule', args: ['--rule', 'v_none'], code: 4 },
])('gate with $why → $code, as text and as JSON', async ({ args, code }) => {
  expect(await dq(['gate', ...args], { env })).toMatchObject({ code });
  const { stdout, ...run } = await dq(['gate', ...args, '--json'], { env });
  expect(run).toMatchObject({ code });
  expect(JSON.parse(stdout)).toMatchObject({ exitCode: code });
});

test('plan warns of a table that the local service does not have', async () => {
  const misspelt = join(folder, 'misspelt.yaml');
  const tables = `${table}s: { rules: [{ rule_type: UNIQUE, column_name: id }] }, ${table}: { rules: [] }`;
  writeFileSync(misspelt, `tables: { ${tables} }`);
  expect(await dq(['rules', 'plan', misspelt], { env })).toMatchObject({
    code: 0,
    stderr: `Warning: there is no table ${table}s: its checks will end with an error; did you mean ${table}?\n`,
  });
});

test('an exported definition is one', async () => {
  const exported = await dq(['rules', 'export'], { env });
  const file = join(folder, 'exported.yaml');
  writeFileSync(file, exported.stdout);
  const plan = await dq(['rules', 'plan', file, '--json'], { env });
  expect(JSON.parse(plan.stdout)).toMatchObject({ create: [], update: [], replace: [], delete: [] });
});

test('serve ends well at Ctrl-C', async () => {
  const run = startDq(['serve', data, '--port', '0', '--state', join(folder, 'other-state')]);
  await run.says('Ctrl-C ends it');
  run.interrupt();
  expect(await run.ended).toMatchObject({ code: 0 });
});

test('serve says in plain words that a table with freshness does not exist', async () => {
  const shop = join(folder, 'misspelt', 'shop');
  mkdirSync(shop, { recursive: true });
  writeFileSync(join(shop, 'orders.csv'), 'id,at\n');
  const freshness = { table: 'shop.main.ordres', timestamp_column: 'at' };
  writeFileSync(join(shop, 'dq.json'), JSON.stringify({ assets: [{ freshness }] }));
  const run = startDq(['serve', shop, '--port', '0', '--state', join(folder, 'misspelt', 'state')]);
  await run.says('Ctrl-C ends it');
  run.interrupt();
  expect((await run.ended).stderr).toMatch(
    /^dq serve: freshness of shop: there is no table shop\.main\.ordres: did you mean shop\.main\.orders\?/,
  );
});

test('serve prints an address that works and warns when it listens beyond this machine', async () => {
  const state = join(folder, 'open-state');
  const args = [
    'serve',
    data,
    '--port',
    '0',
    '--host',
    '0.0.0.0',
    '--state',
    state,
    '--json',
    '--log',
    'json',
  ];
  const run = startDq(args);
  const { url, tables, keys } = JSON.parse(await run.says('"state"')) as {
    url: string;
    tables: string[];
    keys: { readOnly: string };
  };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(tables).toContain(table);
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(200);
  await run.says('"path":"/health"');
  run.interrupt();
  const ended = await run.ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('Warning: it listens on 0.0.0.0, beyond this machine, without TLS');
  const again = startDq(['serve', data, '--port', '0', '--state', state, '--json']);
  expect(JSON.parse(await again.says('"state"'))).toMatchObject({ keys });
  again.interrupt();
  expect(await again.ended).toMatchObject({ code: 0, stderr: 'Closing.\n' });
});

test('serve ends although a query runs that cannot be interrupted', async () => {
  const state = join(folder, 'stuck-state');
  const run = startDq(['serve', data, '--port', '0', '--state', state, '--json']);
  const { url, keys, assets } = JSON.parse(await run.says('"state"')) as {
    url: string;
    keys: { readWrite: string };
    assets: [{ id: string }];
  };
  const post = async (path: string, body: unknown) =>
    fetch(`${url}/api/v1/sdk/validity/${assets[0].id}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keys.readWrite}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const sql_expression = "levenshtein(repeat('a', 1000000) || id, repeat('b', 1000000)) > 0";
  const created = await post('', {
    rule_type: 'CUSTOM_SQL',
    table_path: table,
    rule_config: { sql_expression },
  });
  expect(created.status).toBe(200);
  const { data: rule } = (await created.json()) as { data: { uuid: string } };
  const checking = post(`/${rule.uuid}/check`, {}).catch(() => undefined);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  run.interrupt();
  expect(await run.ended).toMatchObject({ code: 0 });
  await checking;
});

test('serve says what is wrong with a folder or a port', async () => {
  expect(await dq(['serve', join(folder, 'none')])).toMatchObject({ code: 2, stdout: '' });
  expect(await dq(['serve', data, '--port', 'x'])).toMatchObject({ code: 2, stdout: '' });
});

function checksOf(stdout: string): readonly unknown[] {
  const { checks } = JSON.parse(stdout) as {
    checks: { rule: { name: string }; outcome: string; result: { invalid_count: number } }[];
  };
  return checks
    .map(({ rule, outcome, result }) => [rule.name, outcome, result.invalid_count])
    .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
}

test('assets and tables of the local service are listed with their ids and columns', async () => {
  const assets = await dq(['assets', '--json'], { env });
  expect(JSON.parse(assets.stdout)).toEqual([{ id: env['DATA_QUALITY_ASSET'], name: 'shop' }]);
  const tables = await dq(['tables', '--json'], { env });
  expect(JSON.parse(tables.stdout)).toEqual([
    {
      table_path: table,
      columns: [
        { name: 'id', type: 'BIGINT' },
        { name: 'email', type: 'VARCHAR' },
      ],
    },
  ]);
  expect((await dq(['tables'], { env })).stdout).toContain('id BIGINT, email VARCHAR');
});

test('dq lineage show prints what each model is made from', async () => {
  const manifest = join(folder, 'shown.json');
  writeFileSync(manifest, JSON.stringify(dbtManifest));
  const upload = ['lineage', 'upload', manifest, '--wait', '--json'];
  expect(await dq(upload, { env })).toMatchObject({ code: 0, stderr: '' });
  expect((await dq(['lineage', 'show'], { env })).stdout).toMatch(/^orders +model +raw_orders$/m);
});

test('dq init writes rules and a configuration that hold for the files, and overwrites nothing', async () => {
  const work = mkdtempSync(join(testFolder, 'dq-init-'));
  mkdirSync(join(work, 'shop'));
  writeFileSync(
    join(work, 'shop', 'orders.csv'),
    'id,customer_id,created_at\n1,7,2026-01-01 10:00:00\n2,7,2026-01-02 10:00:00\n',
  );
  const init = await dq(['init', 'shop'], { cwd: work });
  expect(init).toMatchObject({ code: 0, stderr: '' });
  const rules = readFileSync(join(work, 'rules.yaml'), 'utf8');
  expect(rules.match(/rule_type: \w+\n +column_name: \w+/g)).toHaveLength(3);
  const check = await dq(['rules', 'check', '--local', 'shop', 'rules.yaml', '--json'], { cwd: work });
  expect(check.code).toBe(0);
  const again = await dq(['init', 'shop'], { cwd: work });
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('rules.yaml exists already');
  expect(readFileSync(join(work, 'rules.yaml'), 'utf8')).toBe(rules);
});
