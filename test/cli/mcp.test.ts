import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { callTool, files, table } from '../mcp/served-mcp.ts';
import { dq, emptyFolder, environment, main, startDq } from '../support/dq.ts';
import { serve, type Served } from '../support/served.ts';
import { testFolder } from '../support/test-folder.ts';

let served: Served;
let env: Record<string, string>;
beforeAll(async () => {
  served = await serve(files);
  env = {
    DATA_QUALITY_BASE_URL: served.service.url,
    DATA_QUALITY_API_KEY: served.service.keys.readWrite,
    DATA_QUALITY_ASSET: served.assetId,
  };
}, 60_000);
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

/** A client of the SDK that starts `dq mcp` itself, as a host of models does. */
async function connect(args: readonly string[] = [], mode: 'legacy' | 'auto' = 'legacy') {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', ...args],
    env: environment(env),
    cwd: emptyFolder,
    stderr: 'pipe',
  });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  // A line of standard output that is not a message is an error of the transport.
  const errors: unknown[] = [];
  Object.assign(client, { onerror: (error: Error) => errors.push(error) });
  await client.connect(transport);
  return { client, errors, said, [Symbol.asyncDispose]: async () => client.close() };
}

test.each(['legacy', 'auto'] as const)(
  'serves a client of the %s protocol over standard input and output',
  async (mode) => {
    await using connection = await connect(['--verbose'], mode);
    const { client } = connection;
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    const created = await callTool(client, 'validity_create', {
      rule_type: 'NOT_NULL',
      table_path: table,
      column_name: 'email',
    });
    const { value } = await callTool(client, 'validity_check', { rule_id: created.value['uuid'] });
    expect(value).toMatchObject({ status: 'fail', invalid_count: 1 });
    expect(connection.errors).toEqual([]);
    expect(connection.said.join('')).toContain('/check → 200 in');
  },
  30_000,
);

test('offers less with --read-only, and shows what --samples allows', async () => {
  await using reading = await connect(['--read-only']);
  const names = (await reading.client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('validity_list');
  expect(names).not.toContain('validity_create');
  await using open = await connect(['--samples', 'full']);
  const { value: rule } = await callTool(open.client, 'validity_create', {
    rule_type: 'REGEX',
    table_path: table,
    column_name: 'email',
    rule_config: { pattern: '@' },
  });
  const checked = await callTool(open.client, 'validity_check', { rule_id: rule['uuid'], samples: 'full' });
  expect(checked.text).toContain('nobody');
}, 30_000);

test('ends when its standard input does, and at Ctrl-C', async () => {
  expect(await dq(['mcp'], { env, input: '' })).toEqual({ code: 0, stdout: '', stderr: '' });
  const run = startDq(['mcp', '--http', '--port', '0'], { env });
  await run.says('Listening on');
  run.interrupt();
  expect(await run.ended).toMatchObject({ code: 0, stdout: '' });
});

test('listens for HTTP on loopback, with a token if one is set', async () => {
  const run = startDq(['mcp', '--http', '--port', '0'], {
    env: { ...env, DATA_QUALITY_MCP_TOKEN: 's3cret' },
  });
  await run.says('Ctrl-C ends');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(run.messages()) ?? [];
  const response = await fetch(url, { method: 'POST', body: '{}' });
  expect(response.status).toBe(401);
  run.interrupt();
  await run.ended;
});

test('warns when it listens beyond this machine', async () => {
  const run = startDq(['mcp', '--http', '--port', '0', '--host', '0.0.0.0', '--token', 's3cret'], { env });
  await run.says('Warning: it listens on 0.0.0.0, beyond this machine, without TLS');
  run.interrupt();
  expect(await run.ended).toMatchObject({ code: 0, stdout: '' });
});

test.each([
  { args: ['--port', '1'], message: '--port is for HTTP: add --http.' },
  { args: ['--allow-host', 'a.example'], message: '--allow-host is for HTTP: add --http.' },
  {
    args: ['--http', '--host', '0.0.0.0'],
    message: 'Everyone who reaches 0.0.0.0 could use your key: give --token or set DATA_QUALITY_MCP_TOKEN.',
  },
])('refuses $args before it starts', async ({ args, message }) => {
  expect(await dq(['mcp', ...args], { env })).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
});

test('reports a missing key and a port that is taken on standard error', async () => {
  const { DATA_QUALITY_API_KEY: _key, ...keyless } = env;
  const run = await dq(['mcp'], { env: keyless, input: '' });
  expect(run).toMatchObject({ code: 3, stdout: '' });
  const { port } = new URL(served.service.url);
  const taken = await dq(['mcp', '--http', '--port', port], { env });
  expect(taken).toMatchObject({ code: 2, stdout: '' });
  expect(taken.stderr).toContain(`Can't listen on 127.0.0.1:${port}`);
});

test('names the package that it needs if it is missing', async () => {
  const folder = await mkdtemp(join(testFolder, 'dq-mcp-'));
  const hook = join(folder, 'hook.mjs');
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module';
    registerHooks({
      resolve(specifier, context, next) {
        if (!specifier.startsWith('@modelcontextprotocol/')) return next(specifier, context);
        throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    });`,
  );
  const options = { env: { ...env, NODE_OPTIONS: `--import=${hook}` }, input: '' };
  expect(await dq(['mcp'], options)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: dq mcp needs the package @modelcontextprotocol/server: npm install @modelcontextprotocol/server\n',
  });
  expect(await dq(['mcp', '--help'], options)).toMatchObject({ code: 0 });
});
