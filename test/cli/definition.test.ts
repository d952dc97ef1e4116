import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test, vi } from 'vitest';

import { dq, startDq } from '../support/dq.ts';
import { dqHere } from '../support/dq-here.ts';
import { assetId, otherAssetId, serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

// Most tests here run the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const folder = mkdtempSync(join(testFolder, 'dq-definition-'));

beforeAll(() => {
  writeFileSync(
    join(folder, 'orders.yaml'),
    `variables: { catalog: dev, most: 100 }
environments:
  production: { catalog: shop, most: 5000 }
tables:
  \${catalog}.sales.orders:
    rules:
      - { rule_type: RANGE, column_name: amount, rule_config: { max: "\${most}" } }
`,
  );
  writeFileSync(
    join(folder, 'customers.yaml'),
    `variables: { catalog: dev }
tables:
  \${catalog}.sales.customers:
    rules:
      - { rule_type: UNIQUE, column_name: id }
`,
  );
});

test('--environment and --var fill in the variables of several files, and what was applied is unchanged', async () => {
  await using served = await serveFake();
  const files = [join(folder, 'orders.yaml'), join(folder, 'customers.yaml')];
  const flags = ['--environment', 'production', '--var', 'most=7', '--var', 'catalog=lake'];
  const planned = await dqHere(['rules', 'plan', ...files, ...flags, '--json'], { env: served.env });
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect((JSON.parse(planned.stdout) as { create: { body: object }[] }).create).toMatchObject([
    { body: { table_path: 'lake.sales.orders', rule_config: { max: 7 } } },
    { body: { table_path: 'lake.sales.customers' } },
  ]);
  expect(await dqHere(['rules', 'apply', ...files, ...flags], { env: served.env })).toMatchObject({
    code: 0,
  });
  const again = await dqHere(['rules', 'plan', ...files, ...flags, '--exit-code'], { env: served.env });
  expect(again).toMatchObject({ code: 0 });
  const other = await dqHere(['rules', 'plan', ...files, '--exit-code'], { env: served.env });
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('dev.sales.orders');
});

test.each([
  [['--var', 'most'], 'Write it as name=value.'],
  [['--var', 'mots=7'], 'variable: mots is not known; known are catalog, most'],
  [['--var', 'most=few'], 'orders.yaml: variables.most is a number here, and "few" is not (line 1,'],
  [['--environment', 'prod'], 'environment: prod is not known; known are production'],
])('%j is refused, with what is known', async (flags, message) => {
  const run = await dqHere(['rules', 'plan', join(folder, 'orders.yaml'), ...flags]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(message);
});

test('a definition of two assets is planned, applied and planned again, one after the other', async () => {
  await using served = await serveFake();
  const file = join(folder, 'assets.yaml');
  writeFileSync(
    file,
    `defaults: { owner: data-team }
destinations: [{ url: 'https://hooks.example.com/secret-path' }]
assets:
  ${assetId}:
    freshness: { max_age: 24h }
    tables:
      shop.sales.orders:
        rules: [{ rule_type: UNIQUE, column_name: id, tags: [nightly] }]
        metrics: [{ metric_type: row_count }]
  ${otherAssetId}:
    tables:
      lake.raw.events:
        freshness: { max_age: 1h }
        rules: [{ rule_type: NOT_NULL, column_name: id, owner: ops }]
`,
  );
  const { env } = served;
  const planned = await dqHere(['rules', 'plan', file], { env });
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain(`Asset ${assetId}\n\nshop.sales.orders\n`);
  expect(planned.stdout).toContain('+ create rule id: UNIQUE (owner data-team; tags nightly)');
  expect(planned.stdout).toContain('freshness of lake.raw.events: dq gate and dq serve read it');
  expect(planned.stdout).toContain('destination of https://hooks.example.com: dq serve reads it');
  expect(planned.stdout).not.toContain('secret-path');

  const applied = await dqHere(['rules', 'apply', file, '--json'], { env });
  expect(applied).toMatchObject({ code: 0 });
  expect(JSON.parse(applied.stdout)).toMatchObject([
    { assetId, applied: [{ label: 'UNIQUE' }, { label: 'row_count' }] },
    { assetId: otherAssetId, applied: [{ label: 'NOT_NULL' }] },
  ]);
  expect(await dqHere(['rules', 'plan', file, '--exit-code'], { env })).toMatchObject({ code: 0 });

  const one = await dqHere(['rules', 'plan', file, '--asset', otherAssetId, '--json'], { env });
  expect(JSON.parse(one.stdout)).toMatchObject([{ assetId: otherAssetId, unchanged: [{ owner: 'ops' }] }]);
  const other = await dqHere(['rules', 'plan', file, '--asset', 'nope'], { env });
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain(`The definition has no asset nope; it has ${assetId}, ${otherAssetId}.`);

  const tagged = await dqHere(['rules', 'plan', file, '--tag', 'nightly', '--json'], { env });
  expect(JSON.parse(tagged.stdout)).toMatchObject([{ unchanged: [{ label: 'UNIQUE' }] }, { unchanged: [] }]);
  const unknown = await dqHere(['rules', 'plan', file, '--tag', 'nightli'], { env });
  expect(unknown.stderr).toContain('has the tag nightli. Did you mean nightly? It has nightly.');

  served.fake.setFreshness(assetId, { data_age_minutes: 1500, sla_threshold: '2d' });
  const gate = await dqHere(['gate', '--definition', file, '--json'], { env });
  expect(gate.code).toBe(1);
  expect(JSON.parse(gate.stdout)).toMatchObject({
    freshness: [
      { assetId, outcome: 'failed' },
      { assetId: otherAssetId, table_path: 'lake.raw.events', outcome: 'inconclusive' },
    ],
    checks: [
      { owner: 'data-team', tags: ['nightly'], outcome: 'passed' },
      { owner: 'ops', outcome: 'passed' },
    ],
  });
  const flags = ['--definition', file, '--owner', 'ops', '--asset', otherAssetId];
  const owned = await dqHere(['gate', ...flags, '--json'], { env });
  expect(JSON.parse(owned.stdout)).toMatchObject({ checks: [{ rule: { rule_type: 'NOT_NULL' } }] });
});

test('a plan by tag counts the deletions it does not show, and an apply with --prune no longer requires it', async () => {
  await using served = await serveFake();
  await served.rule('only in the service');
  const file = join(folder, 'tagged.yaml');
  writeFileSync(
    file,
    'tables: { shop.sales.orders: { rules: [{ rule_type: UNIQUE, column_name: id, tags: [nightly] }] } }',
  );
  const { env } = served;
  const planned = await dqHere(['rules', 'plan', file], { env });
  expect(planned.stdout).toContain('only in the service');
  expect(planned.stdout).toContain('(requires prune)');
  const tagged = await dqHere(['rules', 'plan', file, '--tag', 'nightly'], { env });
  expect(tagged.stdout).toContain('1 to create, 0 to update, 0 to replace, 0 to delete');
  expect(tagged.stderr).toContain(
    'Not shown: 1 to delete, as what only the service has is without owner and tags.',
  );

  const applied = await dqHere(['rules', 'apply', file, '--prune'], { env });
  expect(applied).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Left alone') as unknown });
  expect(applied.stdout).toContain('- delete rule');
  expect(applied.stdout).not.toContain('requires');
});

test.each([
  [['gate', '--tag', 'nightly'], '--tag is about a definition: give --definition too.'],
  [['rules', 'check', '--owner', 'ops'], '--owner is about a definition: give --local or --source too'],
])('%j needs a definition', async (args, message) => {
  const run = await dqHere(args);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(message);
});

test('a definition in several files is checked on files, with its variables, tags and freshness', async () => {
  const shop = join(folder, 'shop');
  mkdirSync(shop);
  writeFileSync(join(shop, 'orders.csv'), `id,at\n1,${new Date().toISOString()}\n1,2020-01-01T00:00:00Z\n`);
  writeFileSync(join(shop, 'events.csv'), 'id,at\n1,2020-01-01T00:00:00Z\n');
  writeFileSync(
    join(folder, 'shop-orders.yaml'),
    `variables: { catalog: none }
environments: { local: { catalog: shop } }
tables:
  \${catalog}.main.orders:
    freshness: { max_age: 1h, timestamp_column: at }
    rules: [{ rule_type: UNIQUE, column_name: id, owner: ann, tags: [keys] }]
`,
  );
  writeFileSync(
    join(folder, 'shop-events.yaml'),
    `tables:
  shop.main.events:
    freshness: { max_age: 1d, timestamp_column: at }
    rules: [{ rule_type: NOT_NULL, column_name: id }]
`,
  );
  const args = ['rules', 'check', '--local', shop, 'shop-orders.yaml', 'shop-events.yaml'];
  const flags = ['--environment', 'local'];
  const run = await dq([...args, ...flags], { cwd: folder });
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/^failed +shop\.main\.events +freshness +the data is stale/m);
  expect(run.stdout).toMatch(/^failed .*UNIQUE +2 of 2 rows are invalid.* \(owner ann; tags keys\)$/m);
  expect(run.stdout).toContain('Gate failed: 2 failed, 2 passed');
  const tagged = await dq([...args, ...flags, '--tag', 'keys', '--json'], { cwd: folder });
  expect(JSON.parse(tagged.stdout)).toMatchObject({ checks: [{ tags: ['keys'] }], freshness: [{}, {}] });
  const elsewhere = await dq(args, { cwd: folder });
  expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
  expect(elsewhere.stderr).toContain('no asset has the table none.main.orders');
});

test('the last run of dbt, beside its manifest, is shown with what did not pass', async () => {
  const target = join(folder, 'target');
  mkdirSync(target);
  const test_metadata = { name: 'not_null', kwargs: { column_name: 'id' } };
  const nodes = {
    'model.shop.orders': { resource_type: 'model', name: 'orders', database: 'shop', schema: 'main' },
    'test.shop.it': { resource_type: 'test', name: 'it', attached_node: 'model.shop.orders', test_metadata },
  };
  writeFileSync(join(target, 'manifest.json'), JSON.stringify({ nodes }));
  const results = [{ unique_id: 'test.shop.it', status: 'fail', failures: 1 }];
  const metadata = { generated_at: '2026-11-21T05:00:00Z' };
  writeFileSync(join(target, 'run_results.json'), JSON.stringify({ metadata, results }));
  const run = await dqHere(['rules', 'import-dbt', join(target, 'manifest.json')]);
  expect(run).toMatchObject({
    code: 0,
    stderr: 'Last dbt run of 2026-11-21T05:00:00Z: 1 fail\n  fail it: 1 failure\n',
  });
  expect(run.stdout).toContain('rule_type: NOT_NULL');
});

test('lineage upload --wait is refused by a service that does not show its lineage, before the upload', async () => {
  await using served = await serveFake();
  const run = await dqHere(['lineage', 'upload', 'manifest.json', '--wait'], { env: served.env });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('--wait is not possible here');
  expect(served.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('rules validate needs neither a service nor data, and names the line of what is wrong', async () => {
  const valid = await dqHere([
    'rules',
    'validate',
    join(folder, 'orders.yaml'),
    join(folder, 'customers.yaml'),
  ]);
  expect(valid).toEqual({ code: 0, stdout: 'Valid: 2 files, 2 tables, 2 rules, 0 metrics\n', stderr: '' });
  const file = join(folder, 'invalid.yaml');
  writeFileSync(file, 'tables:\n  shop.sales.orders:\n    rules:\n      - { rule_type: NOT_NUL }\n');
  const invalid = await dqHere(['rules', 'validate', file, '--json']);
  expect(invalid).toMatchObject({ code: 2, stdout: '' });
  expect(invalid.stderr).toContain('invalid.yaml');
  expect(invalid.stderr).toContain('line 4');
});

test('serve reads freshness and destinations of a definition, and two assets, and asks before it sends alerts', async () => {
  const data = join(folder, 'served', 'shop');
  mkdirSync(join(data, 'eu'), { recursive: true });
  const row = `id,at\n1,${new Date().toISOString()}\n`;
  writeFileSync(join(data, 'orders.csv'), row);
  writeFileSync(join(data, 'eu', 'stock.csv'), row);
  const assets = [
    { id: assetId, name: 'shop' },
    { id: otherAssetId, name: 'europe', path: 'eu' },
  ];
  writeFileSync(join(data, 'dq.json'), JSON.stringify({ assets }));
  const file = join(folder, 'served', 'two-assets.yaml');
  writeFileSync(
    file,
    `destinations: [{ name: ops, url: 'http://127.0.0.1:1/alerts' }]
assets:
  ${assetId}:
    tables:
      shop.main.orders:
        freshness: { max_age: 1h, timestamp_column: at }
        rules: [{ rule_type: UNIQUE, column_name: id }]
  ${otherAssetId}:
    tables:
      europe.main.stock:
        freshness: { max_age: 1h, timestamp_column: at }
        rules: [{ rule_type: NOT_NULL, column_name: id }]
`,
  );
  const args = [
    'serve',
    data,
    '--definition',
    file,
    '--port',
    '0',
    '--state',
    join(folder, 'served', 'state'),
  ];
  const refused = await dq(args);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('the definition sends alerts about this data to 127.0.0.1:1');
  expect(refused.stderr).toContain('--allow-destinations');

  const service = startDq([...args, '--no-destinations', '--json']);
  const { url, keys } = JSON.parse(await service.says('"state"')) as {
    url: string;
    keys: { readWrite: string };
  };
  const env = { DATA_QUALITY_BASE_URL: url, DATA_QUALITY_API_KEY: keys.readWrite };
  expect(await dq(['rules', 'apply', file], { env })).toMatchObject({ code: 0 });
  expect(await dq(['rules', 'plan', file, '--exit-code'], { env })).toMatchObject({ code: 0 });
  const gate = await dq(['gate', '--definition', file, '--json'], { env });
  expect(JSON.parse(gate.stdout)).toMatchObject({
    outcome: 'passed',
    checks: [{ outcome: 'passed' }, { outcome: 'passed' }],
    freshness: [
      { assetId, table_path: 'shop.main.orders', outcome: 'passed' },
      { assetId: otherAssetId, table_path: 'europe.main.stock', outcome: 'passed' },
    ],
  });
  service.interrupt();
  expect(await service.ended).toMatchObject({ code: 0, stderr: 'Closing.\n' });
});
