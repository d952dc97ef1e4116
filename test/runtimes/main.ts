/**
 * `npm run test:runtimes`: packs the package, installs it, and uses it in every runtime, bundler, package manager and
 * compiler that the README names. Prints the matrix, and fails if a cell does. Names of cells run only those.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startBatteryServer } from './battery-server.ts';
import { type Context, root, run, type Runner, withProject } from './runner.ts';
import { browsers } from './runners/browsers.ts';
import { compilers } from './runners/compilers.ts';
import { installers } from './runners/installers.ts';
import { next } from './runners/next.ts';
import { servers } from './runners/servers.ts';
import { suites } from './runners/suites.ts';

const runners: Readonly<Record<string, Runner>> = {
  ...servers,
  ...browsers,
  ...suites,
  ...compilers,
  ...installers,
  ...next,
};
const { positionals } = parseArgs({ allowPositionals: true });
const chosen = Object.entries(runners).filter(
  ([name]) => positionals.length === 0 || positionals.some((wanted) => name.includes(wanted)),
);
if (chosen.length === 0)
  throw new Error(`no cell is called so; there are ${Object.keys(runners).join(', ')}`);

const packageJson = JSON.stringify({ private: true, type: 'module' });
const failures = await withProject({ 'package.json': packageJson }, async (project) => {
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], {
    cwd: root,
  });
  const [{ filename = '' } = {}] = JSON.parse(packed) as readonly { filename?: string }[];
  const tarball = join(project, 'data-quality-client.tgz');
  await copyFile(join(project, filename), tarball);
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball, 'msw', '@duckdb/node-api'],
    {
      cwd: project,
    },
  );
  await writeFile(join(project, 'empty.json'), '{}');

  const failed: string[] = [];
  const width = Math.max(...chosen.map(([name]) => name.length));
  for (const [name, runner] of chosen) {
    await using server = await startBatteryServer();
    const context: Context = { url: server.url, tarball, project };
    const startedAt = performance.now();
    const outcome = await runner(context).then(
      (done) => `ok    ${done}`,
      (error: unknown) => {
        failed.push(`${name}\n${error instanceof Error ? error.message : String(error)}`);
        return 'FAIL';
      },
    );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
    console.log(`${name.padEnd(width)}  ${seconds} s  ${outcome}`);
  }
  return failed;
});

if (failures.length > 0) console.error(`\n${failures.join('\n\n')}`);
console.log(`\n${chosen.length - failures.length} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
