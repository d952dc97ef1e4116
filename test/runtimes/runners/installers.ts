import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { here, root, run, type Runner, tool, withProject } from '../runner.ts';

const node = join(root, 'node_modules/node/bin/node');
const use = `
  import { DataQualityClient } from 'data-quality-client';
  import { gate } from 'data-quality-client/gate';
  import { createFakeService } from 'data-quality-client/testing';
  const fake = createFakeService();
  const { baseUrl, fetch, keys } = fake;
  const client = new DataQualityClient({ baseUrl, apiKey: keys.readOnly, fetch });
  const verdict = await gate(client, fake.assets[0].id, { throw: false });
  const handlers = process.argv[2] === 'msw' ? fake.handlers.length : 0;
  console.log(verdict.outcome, handlers > 0 ? 'with handlers' : '');
`;

function manifest(tarball: string, more: Readonly<Record<string, string>> = {}): string {
  const dependencies = { 'data-quality-client': `file:${tarball}`, ...more };
  return JSON.stringify({ name: 'user', private: true, type: 'module', dependencies });
}

const checkScript = `
  import { mkdirSync, renameSync } from 'node:fs';
  import { DataQualityClient } from 'data-quality-client';
  import { startLocalService } from 'data-quality-client/local';
  mkdirSync('data', { recursive: true });
  renameSync('orders.csv', 'data/orders.csv');
  const service = await startLocalService({ data: 'data', port: 0, state: 'state' });
  const client = new DataQualityClient({ baseUrl: service.url, apiKey: service.keys.readWrite });
  const assetId = service.assets[0].id;
  const rule = { rule_type: 'NOT_NULL', table_path: 'data.main.orders', column_name: 'id' };
  const { uuid } = await client.validity.create(assetId, rule);
  const { invalid_count, total_rows } = await client.validity.check(assetId, uuid);
  console.log(invalid_count + ' of ' + total_rows);
  await service.close();
`;
const yarnSettings = 'nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\n';

/** What the package manager installed lets the script run; nothing is selected, so the gate is inconclusive. */
function check(output: string): string {
  if (!output.includes('inconclusive')) throw new Error(output);
  return output.trim();
}

/** Installs both packages one after the other in either order, as users of an older major do. */
function withPeer(name: string, version: string, script: (folder: string) => Promise<string>): Runner {
  return async ({ tarball }) => {
    const orders = [
      [`${name}@${version}`, tarball],
      [tarball, `${name}@${version}`],
    ];
    let outcome = '';
    for (const order of orders) {
      outcome = await withProject(
        { 'package.json': '{"private":true,"type":"module"}', 'use.mjs': use },
        async (cwd) => {
          for (const one of order) await run('npm', ['install', '--no-audit', '--no-fund', one], { cwd });
          return script(cwd);
        },
      );
    }
    return `${outcome}, in both orders`;
  };
}

const runScript = async (cwd: string): Promise<string> => check(await run(node, ['use.mjs', 'msw'], { cwd }));

const checkRows = async (cwd: string): Promise<string> => {
  await writeFile(join(cwd, 'orders.csv'), 'id\n1\n\n');
  await writeFile(join(cwd, 'check.mjs'), checkScript);
  const output = await run(node, ['check.mjs'], { cwd });
  if (!output.includes('1 of 2')) throw new Error(output);
  return output.trim();
};

/** The local service names the version that it needs, and the one that it found. */
const refuseOld = async (cwd: string): Promise<string> => {
  const output = await checkRows(cwd).catch((error: unknown) => String(error));
  if (!/ConfigurationError: .* needs DuckDB [\d.]+ or later, not v1\.4\.4/.test(output))
    throw new Error(output);
  return 'refused in one sentence';
};

/** Package managers, and peers of other versions than the newest. */
export const installers: Readonly<Record<string, Runner>> = {
  pnpm: ({ tarball }) =>
    withProject({ 'package.json': manifest(tarball), 'use.mjs': use }, async (cwd) => {
      const pnpm = join(here, 'node_modules/pnpm/bin/pnpm.mjs');
      await run(node, [pnpm, 'install'], { cwd }).catch(() => run(tool('pnpm'), ['install'], { cwd }));
      return check(await run(node, ['use.mjs'], { cwd }));
    }),
  'Yarn Plug’n’Play': ({ tarball }) =>
    withProject(
      { 'package.json': manifest(tarball), 'use.mjs': use, 'yarn.lock': '', '.yarnrc.yml': yarnSettings },
      async (cwd) => {
        const yarn = createRequire(join(here, 'package.json')).resolve('@yarnpkg/cli-dist/bin/yarn.js');
        await run(node, [yarn, 'install'], { cwd });
        return check(await run(node, [yarn, 'node', 'use.mjs'], { cwd }));
      },
    ),
  'msw 2.11': withPeer('msw', '2.11.0', runScript),
  'msw 3': withPeer('msw', '3', runScript),
  'DuckDB 1.4 (unsupported)': withPeer('@duckdb/node-api', '1.4.4-r.1', refuseOld),
  'DuckDB, oldest': withPeer('@duckdb/node-api', '1.5.4-r.1', checkRows),
  'DuckDB, newest': withPeer('@duckdb/node-api', 'latest', checkRows),
};
