import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { environment } from '../support/dq.ts';
import { assetId, serveFake } from '../support/served-fake.ts';
import { installTarball } from '../support/tarball.ts';

const execute = promisify(execFile);

/** What a host of models does: it starts `dq mcp` with the client of the SDK, and lets a model call a tool. */
const host = `
  import { Client } from '@modelcontextprotocol/client';
  import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
  const client = new Client({ name: 'host', version: '1.0.0' });
  const args = ['node_modules/data-quality-client/dist/cli/main.js', 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env }));
  const { tools } = await client.listTools();
  const { structuredContent } = await client.callTool({ name: 'validity_summary', arguments: {} });
  console.log(JSON.stringify({ tools: tools.length, server: client.getServerVersion(), structuredContent }));
  await client.close();
`;

test('the packed package serves a client of the SDK', { timeout: 60_000 }, async () => {
  await using service = await serveFake();
  await service.rule('known');
  await using subject = await installTarball([
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/client',
  ]);
  await writeFile(join(subject.project, 'host.mjs'), host);
  const { stdout } = await execute(process.execPath, ['host.mjs'], {
    cwd: subject.project,
    env: environment(service.env),
  });
  const { version } = JSON.parse(await readFile(join(subject.installed, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(JSON.parse(stdout)).toMatchObject({
    tools: 24,
    server: { name: 'data-quality', version },
    structuredContent: { total_rules: 1 },
  });
});

test('without the package of the protocol, the packed package names it', { timeout: 60_000 }, async () => {
  await using subject = await installTarball();
  const main = join(subject.installed, 'dist/cli/main.js');
  const env = environment({
    DATA_QUALITY_API_KEY: 'key',
    DATA_QUALITY_BASE_URL: 'http://127.0.0.1:1',
    DATA_QUALITY_ASSET: assetId,
  });
  const run = execute(process.execPath, [main, 'mcp'], { cwd: subject.project, env });
  await expect(run).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('npm install @modelcontextprotocol/server') as unknown,
  });
});
