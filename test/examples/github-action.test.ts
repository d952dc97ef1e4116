import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { DataQualityClient } from 'data-quality-client';
import { startLocalService } from 'data-quality-client/local';
import { apply, parseDefinition, plan } from 'data-quality-client/rules';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { createProject } from './project.ts';
import { action, runAction } from './run-action.ts';

const root = resolve(import.meta.dirname, '../..');

/** A project, and a service over its data with its rules. */
async function serveProject() {
  const project = await createProject();
  const service = await startLocalService({ data: project.data });
  const asset = service.assets[0]?.id ?? '';
  const client = new DataQualityClient({ baseUrl: service.url, apiKey: service.keys.readWrite });
  const definition = parseDefinition(await readFile(project.definition, 'utf8'));
  await apply(client, await plan(client, asset, definition));
  return {
    project,
    asset,
    inputs: { 'base-url': service.url, 'api-key': service.keys.readWrite, assets: asset },
    run: (inputs: Readonly<Record<string, string>>) =>
      runAction(inputs, { cwd: project.folder, env: project.env }),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

test('no script of the action contains an expression, into which an input could put code', () => {
  for (const { run, shell } of action.runs.steps.filter((step) => step.run !== undefined)) {
    expect(run).not.toContain('${{');
    expect(shell).toBe('bash');
  }
});

test('bad data fails the job, with annotations, a summary, JSON, JUnit XML and a report to upload', async () => {
  await using served = await serveProject();
  const { code, outputs, log, summary, used } = await served.run(served.inputs);
  expect(code).toBe(1);
  expect(outputs).toMatchObject({ outcome: 'failed', 'exit-code': '1' });
  expect(log).toMatch(/^::error.*email is known/m);
  expect(summary).toContain('email is known');
  expect(JSON.parse(await readFile(String(outputs['json']), 'utf8'))).toMatchObject({ outcome: 'failed' });
  expect(await readFile(String(outputs['junit']), 'utf8')).toContain('failures="1"');
  const report = await readFile(String(outputs['report']), 'utf8');
  expect(report).toMatch(/1\s+of\s+2\s+rows\s+is\s+invalid/);
  expect(used).toEqual([
    { uses: 'actions/setup-node@v5', with: { 'node-version': '24', 'package-manager-cache': 'false' } },
    {
      uses: 'actions/upload-artifact@v4',
      with: { name: 'data-quality', path: resolve(String(outputs['json']), '..') },
    },
  ]);
});

test('with mode observe bad data does not fail the job, and a wrong key does', async () => {
  await using served = await serveProject();
  const observe = { ...served.inputs, mode: 'observe', report: 'false', 'node-version': '' };
  expect(await served.run(observe)).toMatchObject({
    code: 0,
    outputs: { outcome: 'failed', 'exit-code': '1', report: '' },
    used: [],
  });
  expect(await served.run({ ...observe, 'api-key': 'wrong' })).toMatchObject({
    code: 3,
    outputs: { 'exit-code': '3' },
  });
  expect(await served.run({ ...observe, mode: 'watch' })).toMatchObject({
    code: 2,
    log: '::error::mode must be enforce or observe.\n',
  });
});

test('the severity, tags and assets of the inputs arrive, and the address and key may be variables of the job', async () => {
  await using served = await serveProject();
  const { project, inputs, asset } = served;
  const env = {
    ...project.env,
    DATA_QUALITY_BASE_URL: inputs['base-url'],
    DATA_QUALITY_API_KEY: inputs['api-key'],
  };
  const run = (more: Readonly<Record<string, string>>) =>
    runAction({ report: 'false', ...more }, { cwd: project.folder, env });
  expect(await run({ assets: `\n${asset}\n`, 'fail-on': 'critical' })).toMatchObject({
    code: 0,
    outputs: { outcome: 'passed' },
  });
  // The asset is missing, so there is no verdict.
  expect(await run({})).toMatchObject({ code: 2, outputs: { outcome: 'error', json: '', junit: '' } });
  const unknown = await run({ assets: asset, definition: 'rules.yaml', tags: 'nightly' });
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.log).toContain('Nothing in the definition has the tag nightly');
});

test('an input is never taken as a flag or as code', async () => {
  await using served = await serveProject();
  const hostile = '--help\n$(touch hacked)\n`touch hacked`; touch hacked';
  for (const name of ['assets', 'definition', 'wait']) {
    const { code } = await served.run({ ...served.inputs, [name]: hostile });
    expect([name, code]).not.toEqual([name, 0]);
  }
  await expect(readFile(join(served.project.folder, 'hacked'))).rejects.toThrow('ENOENT');
});

test('a definition is checked on data of the repository without a service, with the version asked for', async () => {
  const project = await createProject();
  const run = (inputs: Readonly<Record<string, string>>) =>
    runAction(
      { data: 'data', definition: 'rules.yaml', ...inputs },
      { cwd: project.folder, env: project.env },
    );
  const failed = await run({ version: '0.1.0' });
  expect(failed).toMatchObject({ code: 1, outputs: { outcome: 'failed' } });
  expect(await readFile(String(failed.outputs['report']), 'utf8')).toContain('email is known');
  expect(await project.calls()).toEqual([
    expect.stringMatching(
      /^npm install --prefix \S+ --no-audit --no-fund data-quality-client@0\.1\.0 @duckdb\/node-api$/,
    ),
  ]);
  expect(await run({ 'fail-on': 'critical' })).toMatchObject({ code: 0, outputs: { outcome: 'passed' } });
  await project.repair();
  expect(await run({})).toMatchObject({ code: 0, outputs: { outcome: 'passed' } });
  // What the project has installed is used as it is.
  expect(await project.calls()).toHaveLength(1);
});

test('the example uses inputs that the action has', async () => {
  const { jobs } = parse(await readFile(join(root, 'examples/ci/github.yml'), 'utf8')) as {
    jobs: Record<string, { steps: readonly { uses?: string; with?: object }[] }>;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const uses = steps.filter((step) => step.uses?.includes('/.github/actions/gate@') === true);
  expect(uses).toHaveLength(2);
  for (const { with: inputs = {} } of uses) {
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
  }
});
