import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { dqHere } from '../support/dq-here.ts';
import { serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

const folder = mkdtempSync(join(testFolder, 'dq-outputs-'));

const path = (kind: string): string => join(folder, `gate.${kind}`);

const read = (kind: string): string => readFileSync(path(kind), 'utf8');

async function withBadRule() {
  const served = await serveFake();
  const { uuid } = await served.rule('email');
  served.fake.setCheckResult(uuid, { total_rows: 10_000, samples: [{ row_id: 3, value: 'Ann-7' }] });
  return served;
}

test('several outputs at once, each in its own form', async () => {
  await using served = await withBadRule();
  const kinds = ['text', 'json', 'junit', 'github', 'markdown', 'html'] as const;
  const outputs = kinds.flatMap((kind) => ['--output', `${kind}=${path(kind)}`]);
  const { code, stdout } = await dqHere(['gate', ...outputs], { env: served.env });
  expect(code).toBe(1);
  expect(read('text')).toBe(stdout);
  expect(JSON.parse(read('json'))).toMatchObject({ outcome: 'failed' });
  expect(read('junit')).toContain('<testsuites');
  expect(read('github')).toMatch(/^::error/m);
  expect(read('markdown')).toContain('| ');
  expect(read('html')).toMatch(/^<!doctype html>/);
});

test('an output on standard output takes the place of the text', async () => {
  await using served = await withBadRule();
  const { stdout } = await dqHere(['gate', '--output', 'junit=-'], { env: served.env });
  expect(stdout).toMatch(/^<\?xml/);
});

test('under GitHub Actions annotations and a summary come by themselves, and JSON stays JSON', async () => {
  await using served = await withBadRule();
  const summary = join(folder, 'summary.md');
  const env = { ...served.env, GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_STEP_SUMMARY: summary };
  const { code, stdout, stderr } = await dqHere(['gate', '--json'], { env });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed' });
  expect(stderr).toMatch(/^::error/m);
  expect(readFileSync(summary, 'utf8')).not.toBe('');
});

test('samples are full at home, masked under CI, and none if none are wanted', async () => {
  await using served = await withBadRule();
  const samples = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
    (await dqHere(['gate', ...args], { env: { ...served.env, ...env } })).stdout;
  expect(await samples([], {})).toContain('Ann-7');
  expect(await samples([], { CI: 'true' })).toContain('xxx-9');
  expect(await samples(['--samples', 'full'], { CI: 'true' })).toContain('Ann-7');
  expect(await samples(['--samples', 'none'], {})).not.toMatch(/Ann|xxx/);
});

test('an output that can not be written does not hide that the data is bad', async () => {
  await using served = await withBadRule();
  const file = join(folder, 'none', 'junit.xml');
  const { code, stderr } = await dqHere(['gate', '--output', `junit=${file}`], { env: served.env });
  expect(code).toBe(1);
  expect(stderr).toContain(`${file} cannot be written`);
});

test.each(['junit', 'junit=', 'pdf=x'])('--output %s is wrong usage', async (output) => {
  await using served = await serveFake();
  expect(await dqHere(['gate', '--output', output], { env: served.env })).toMatchObject({
    code: 2,
    stdout: '',
  });
});
