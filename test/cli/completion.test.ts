import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { dq, environment, main, quote, start } from '../support/dq.ts';
import { dqHere } from '../support/dq-here.ts';
import { testFolder } from '../support/test-folder.ts';
import { hasTool } from '../support/tool.ts';

const complete = async (...words: readonly string[]): Promise<string> =>
  (await dqHere(['complete', '--', ...words])).stdout;

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

/** A folder with a file to complete, the program as `dq`, and the script of a shell. */
async function folderWithScript(shell: string): Promise<string> {
  const folder = mkdtempSync(join(testFolder, 'dq-completion-'));
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(main)} "$@"\n`;
  writeFileSync(join(folder, 'bin', 'dq'), program, { mode: 0o755 });
  writeFileSync(join(folder, 'precious.yaml'), 'PRECIOUS: yes\n');
  writeFileSync(join(folder, 'script'), (await dq(['completion', shell])).stdout);
  return folder;
}

function pathWith(folder: string): { readonly PATH: string } {
  return { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
}

/** What zsh, on a terminal, makes of a line when Tab is pressed at its end. */
async function pressTabInZsh(line: string): Promise<{ readonly folder: string; readonly completed: string }> {
  const folder = await folderWithScript('zsh');
  const settings = [
    'PROMPT="ready> "',
    'source script',
    'source script',
    'keep() { print -rn -- "$BUFFER" > completed; exit; }',
    'zle -N keep',
    // Tab alone would let zsh itself expand the word, which runs what it contains.
    "bindkey '^I' complete-word",
    "bindkey '^X' keep",
  ];
  writeFileSync(join(folder, '.zshrc'), settings.join('\n'));
  const shell = start('script', ['--quiet', '--flush', '--command', 'zsh -i', '/dev/null'], {
    cwd: folder,
    env: { ...pathWith(folder), ZDOTDIR: folder, TERM: 'dumb' },
  });
  await shell.says('ready> ');
  shell.type(`${line}\t\u0018`);
  await shell.ended;
  return { folder, completed: readFileSync(join(folder, 'completed'), 'utf8') };
}

describe.skipIf(!hasTool('zsh') || !hasTool('script'))('Tab in zsh', () => {
  test.each([
    ['dq rules imp', 'dq rules import-dbt '],
    ['dq rules list --type NOT', 'dq rules list --type NOT_NULL '],
    ['dq rules list --type=NOT', 'dq rules list --type=NOT_NULL '],
    ['dq gate --output ht', 'dq gate --output html='],
    ['dq gate --output html=prec', 'dq gate --output html=precious.yaml '],
    ['dq rules plan prec', 'dq rules plan precious.yaml '],
    ['dq rules get prec', 'dq rules get prec'],
    ['dq rules export > prec', 'dq rules export > precious.yaml '],
  ])('makes of %s', async (line, expected) => {
    const { folder, completed } = await pressTabInZsh(line);
    expect(completed).toBe(expected);
    expect(readFileSync(join(folder, 'precious.yaml'), 'utf8')).toBe('PRECIOUS: yes\n');
  });

  test.each(['--type="$(>PWNED)"=', '--type=$(>PWNED)=', '"`touch PWNED`" '])(
    'runs nothing of dq rules list %s',
    async (typed) => {
      const { folder } = await pressTabInZsh(`dq rules list ${typed}`);
      expect(existsSync(join(folder, 'PWNED'))).toBe(false);
    },
  );
});

/** What fish offers for a line. */
async function offers(line: string): Promise<{ readonly folder: string; readonly words: readonly string[] }> {
  const folder = await folderWithScript('fish');
  const command = `source script; source script; complete --do-complete ${quote(line)}`;
  const shell = start('fish', ['--no-config', '--command', command], {
    cwd: folder,
    env: pathWith(folder),
  });
  const { stdout, stderr } = await shell.ended;
  expect(stderr).toBe('');
  return { folder, words: stdout.split('\n').flatMap((it) => it.split('\t')[0] || []) };
}

describe.skipIf(!hasTool('fish'))('Tab in fish', () => {
  test.each([
    ['dq rules imp', ['import-dbt']],
    ['dq rules list --type NOT', ['NOT_NULL']],
    ['dq rules list --type=NOT', ['--type=NOT_NULL']],
    ['dq gate --output ht', ['html=']],
    ['dq gate --output html=prec', ['html=precious.yaml']],
    ['dq rules plan prec', ['precious.yaml']],
    ['dq rules get prec', []],
  ])('offers for %s', async (line, expected) => {
    expect((await offers(line)).words).toEqual(expected);
  });

  test.each(['--type=(touch PWNED)', '--type="$(touch PWNED)"=', '(touch PWNED) '])(
    'runs nothing of dq rules list %s',
    async (typed) => {
      const { folder } = await offers(`dq rules list ${typed}`);
      expect(existsSync(join(folder, 'PWNED'))).toBe(false);
    },
  );
});
