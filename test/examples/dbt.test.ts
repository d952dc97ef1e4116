import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { environment, main } from '../support/dq.ts';
import { serveFake, type ServedFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

const script = fileURLToPath(new URL('../../examples/dbt/build-and-gate.sh', import.meta.url));

const manifest = {
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
  nodes: {
    'model.shop.orders': { resource_type: 'model', name: 'orders', database: 'shop', schema: 'main' },
    'test.shop.it': {
      resource_type: 'test',
      name: 'it',
      attached_node: 'model.shop.orders',
      test_metadata: { name: 'not_null', kwargs: { column_name: 'id' } },
    },
  },
};

/** Runs the script with a dbt that writes this manifest and records its arguments, as dbt itself does not run here. */
async function run(served: ServedFake, dbtExit = 0) {
  const folder = mkdtempSync(join(testFolder, 'dbt-'));
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  mkdirSync(join(folder, 'target'));
  writeFileSync(join(folder, 'written.json'), JSON.stringify(manifest));
  const program = (name: string, text: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  program('dbt', `echo "$@" > dbt-arguments; cp written.json target/manifest.json; exit ${dbtExit}`);
  program('dq', `exec '${process.execPath}' '${main}' "$@"`);
  const env = environment({ ...served.env, PATH: [programs, process.env['PATH']].join(delimiter) });
  const code = await new Promise((resolve) => {
    execFile('sh', [script, '--select', 'orders'], { cwd: folder, env }, (error) =>
      resolve(error?.code ?? 0),
    );
  });
  return { code, dbtArguments: readFileSync(join(folder, 'dbt-arguments'), 'utf8') };
}

test('the example for dbt applies the tests of the project as rules, and ends with the exit code of the gate', async () => {
  await using served = await serveFake();
  expect(await run(served)).toEqual({ code: 0, dbtArguments: 'build --select orders\n' });
  const [rule] = await served.client.validity.list(served.env.DATA_QUALITY_ASSET).toArray();
  expect(rule).toMatchObject({ name: 'it', table_path: 'shop.main.orders', rule_type: 'NOT_NULL' });
  served.fake.setCheckResult(rule?.uuid ?? '', { invalid_count: 1, total_rows: 2 });
  expect(await run(served)).toMatchObject({ code: 1 });
}, 30_000);

test('the example for dbt ends with the exit code of dbt if the build fails, and checks nothing', async () => {
  await using served = await serveFake();
  expect(await run(served, 2)).toMatchObject({ code: 2 });
  expect(served.fake.requests).toEqual([]);
});
