import { expect, test } from 'vitest';

import { dq } from '../support/dq.ts';

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
