import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { dq } from '../support/dq.ts';
import { serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

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
  const planned = await dq(['rules', 'plan', ...files, ...flags, '--json'], { env: served.env });
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect((JSON.parse(planned.stdout) as { create: { body: object }[] }).create).toMatchObject([
    { body: { table_path: 'lake.sales.orders', rule_config: { max: 7 } } },
    { body: { table_path: 'lake.sales.customers' } },
  ]);
  expect(await dq(['rules', 'apply', ...files, ...flags], { env: served.env })).toMatchObject({ code: 0 });
  const again = await dq(['rules', 'plan', ...files, ...flags, '--exit-code'], { env: served.env });
  expect(again).toMatchObject({ code: 0 });
  const other = await dq(['rules', 'plan', ...files, '--exit-code'], { env: served.env });
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('dev.sales.orders');
});

test.each([
  [['--var', 'most'], 'Write it as name=value.'],
  [['--var', 'mots=7'], 'variable: mots is not known; known are catalog, most'],
  [['--var', 'most=few'], 'orders.yaml: variables.most is a number here, and "few" is not (line 1,'],
  [['--environment', 'prod'], 'environment: prod is not known; known are production'],
])('%j is refused, with what is known', async (flags, message) => {
  const run = await dq(['rules', 'plan', join(folder, 'orders.yaml'), ...flags]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(message);
});
