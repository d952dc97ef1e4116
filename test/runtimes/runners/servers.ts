import { createRequire } from 'node:module';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { here, judge, run, root, type Runner, tool } from '../runner.ts';

const script = `
import { runBattery } from './battery.js';
const [url, pathForUpload] = (globalThis.process ?? Deno).argv?.slice(2) ?? Deno.args;
console.log(JSON.stringify(await runBattery(url, { pathForUpload })));
process.exit();
`;

function withProgram(program: string, flags: readonly string[] = []): Runner {
  return async ({ project, url }) => {
    await copyFile(join(here, 'battery.js'), join(project, 'battery.js'));
    await writeFile(join(project, 'run.mjs'), script);
    const args = [...flags, 'run.mjs', url, join(project, 'package.json')];
    return judge(await run(program, args, { cwd: project, timeout: 60_000 }));
  };
}

function requireWith(program: string): Runner {
  return async ({ project }) => {
    const code = `
      const entries = ['', '/anomalies', '/gate', '/rules', '/schemas', '/testing', '/webhooks', '/local'];
      for (const entry of entries) if (Object.keys(require('data-quality-client' + entry)).length === 0) throw entry;
      console.log(entries.length + ' entries');
    `;
    await writeFile(join(project, 'require.cjs'), code);
    return (await run(program, ['require.cjs'], { cwd: project })).trim();
  };
}

/** An old Node: the client and the command line each say in one sentence which version they need. */
async function refuse({ project }: Parameters<Runner>[0]): Promise<string> {
  const code = `
    import { DataQualityClient } from 'data-quality-client';
    try { new DataQualityClient({ baseUrl: 'https://dq.test', apiKey: 'x' }); console.log('accepted'); }
    catch (error) { console.log(error.name + ': ' + error.message); }
  `;
  await writeFile(join(project, 'old.mjs'), code);
  const node = join(here, 'node_modules/node-unsupported/bin/node');
  const said = (await run(node, ['old.mjs'], { cwd: project })).trim();
  if (!/ConfigurationError: .*22\.12/.test(said)) throw new Error(said);
  const dq = await run(node, ['node_modules/data-quality-client/dist/cli/main.js', 'rules', 'list'], {
    cwd: project,
  }).catch((error: unknown) => String(error));
  if (!dq.includes('22.12')) throw new Error(dq);
  return 'refused in one sentence';
}

const workerd: Runner = async ({ project, url }) => {
  await copyFile(join(here, 'battery.js'), join(project, 'battery.js'));
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { runBattery } from './battery.js';
        export default { fetch: async (request) => Response.json(await runBattery(await request.text(), { fetch })) };
      `,
      resolveDir: project,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    external: ['node:*', 'msw', '@duckdb/node-api'],
    logLevel: 'silent',
  });
  const { Miniflare } = (await import(
    pathToFileURL(createRequire(join(here, 'package.json')).resolve('miniflare')).href
  )) as {
    Miniflare: new (options: object) => {
      dispatchFetch(url: string, init: RequestInit): Promise<Response>;
      dispose(): Promise<void>;
    };
  };
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2025-05-05',
  });
  try {
    const response = await worker.dispatchFetch('http://worker.test/', { method: 'POST', body: url });
    return judge(await response.text());
  } finally {
    await worker.dispose();
  }
};

/** Node, Deno, Bun and workerd. */
export const servers: Readonly<Record<string, Runner>> = {
  'Node 20 (unsupported)': refuse,
  'Node 22.12': withProgram(join(here, 'node_modules/node-oldest/bin/node')),
  'Node 24': withProgram(join(root, 'node_modules/node/bin/node')),
  'Node 26': withProgram(join(here, 'node_modules/node-newest/bin/node')),
  'require, Node 22.12': requireWith(join(here, 'node_modules/node-oldest/bin/node')),
  'require, Node 26': requireWith(join(here, 'node_modules/node-newest/bin/node')),
  Deno: withProgram(tool('deno'), ['run', '--allow-all', '--node-modules-dir=manual', '--quiet']),
  Bun: withProgram(tool('bun')),
  'workerd 2025-05-05': workerd,
};
