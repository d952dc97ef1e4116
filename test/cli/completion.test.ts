import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { dq, environment, main } from '../support/dq.ts';
import { testFolder } from '../support/test-folder.ts';

const complete = async (...words: readonly string[]): Promise<string> =>
  (await dq(['complete', '--', ...words])).stdout;

test('there is a script for each shell', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await dq(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('complete -- ');
  }
  expect(await dq(['completion', 'cmd'])).toMatchObject({ code: 2, stdout: '' });
});

test('commands, subcommands, flags and choices are completed', async () => {
  expect(await complete('fre')).toMatch(/^freshness\t/m);
  expect(await complete('rules', '')).toMatch(/^import-dbt\t/m);
  expect(await complete('rules', 'list', '--al')).toMatch(/^--all\t/m);
  expect(await complete('gate', '--fail-on', 'cri')).toMatch(/^critical\t/m);
});

test('choices follow each flag that has some, also behind an equals sign and after other values', async () => {
  expect(await complete('rules', 'list', '--type', 'NOT')).toBe('NOT_NULL\t\n:4\n');
  expect(await complete('rules', 'create', '--type=RE')).toBe('REGEX\t\n:4\n');
  expect(await complete('gate', '--severity', 'critical', 'in')).toBe('info\t\n:4\n');
  expect(await complete('gate', '--rule-type', 'UNI')).toBe('UNIQUE\t\n:4\n');
  expect(await complete('gate', '--output', 'ju')).toBe('junit=\t\n:6\n');
  expect(await complete('webhook', 'send', '--type', 'sch')).toBe('schema_change\t\n:4\n');
});

test('leaves files to the shell if a file is expected, and only then', async () => {
  for (const words of [
    ['rules', 'plan', 'ru'],
    ['rules', 'import-dbt', ''],
    ['lineage', 'upload', 'target/'],
    ['serve', './d'],
    ['report', '--output', ''],
    ['gate', '--output', 'html=g'],
  ]) {
    expect(await complete(...words)).toBe(':0\n');
  }
  expect(await complete('rules', 'get', '')).toBe(':4\n');
});

test('the command that the scripts call is not offered', async () => {
  expect(await complete('comp')).not.toContain('complete\t');
});

/** What bash makes of the words when Tab is pressed on the last one. */
async function pressTab(
  words: readonly string[],
): Promise<{ folder: string; stdout: string; stderr: string }> {
  const folder = mkdtempSync(join(testFolder, 'dq-completion-'));
  writeFileSync(join(folder, 'precious.yaml'), 'PRECIOUS: yes\n');
  const script = [
    `dq() { "${process.execPath}" "${main}" "$@"; }`,
    // Outside of a completion, bash only has an error for it.
    'compopt() { printf "compopt %s\\n" "$*"; }',
    'source <(dq completion bash)',
    'source <(dq completion bash)',
    'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))',
    '_dq_complete',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const run = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd: folder,
    env: environment(),
  });
  return { folder, ...run };
}

test('Tab in bash leaves the file of a redirection alone, and completes it', async () => {
  const { folder, stdout, stderr } = await pressTab(['dq', 'rules', 'export', '>', 'precious.yaml']);
  expect(readFileSync(join(folder, 'precious.yaml'), 'utf8')).toBe('PRECIOUS: yes\n');
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'compopt -o default', stderr: '' });
});

test('Tab in bash runs nothing of what was typed', async () => {
  for (const typed of ['"$(touch PWNED)"', '$(touch PWNED)', '`touch PWNED`', '; touch PWNED']) {
    const { folder, stderr } = await pressTab(['dq', 'rules', 'list', '--type', typed, '']);
    expect({ typed, exists: existsSync(join(folder, 'PWNED')), stderr }).toEqual({
      typed,
      exists: false,
      stderr: '',
    });
  }
});

test('Tab in bash completes commands, files, and values that bash takes apart', async () => {
  expect((await pressTab(['dq', 'rules', 'imp'])).stdout.trim()).toBe('import-dbt');
  expect((await pressTab(['dq', 'rules', 'plan', 'prec'])).stdout.trim()).toBe('compopt -o default');
  expect((await pressTab(['dq', 'gate', '--fail-on', '=', 'cri'])).stdout.trim()).toBe('critical');
  expect((await pressTab(['dq', 'gate', '-o', 'ht'])).stdout.trim()).toBe('compopt -o nospace\nhtml=');
});
