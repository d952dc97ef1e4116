// What only happens on a terminal: questions, secrets that are typed, keys.
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { startDqOnTerminal } from '../support/dq.ts';
import { assetId, serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';
import { hasTool } from '../support/tool.ts';

const controlC = '\u0003';
const controlD = '\u0004';

describe.skipIf(!hasTool('script'))('on a terminal', () => {
  test.each([
    { typed: 'y\r', code: 0, left: 0, says: 'Deleted v_' },
    { typed: '\r', code: 2, left: 1, says: 'Nothing was changed.' },
    { typed: 'no\r', code: 2, left: 1, says: 'Nothing was changed.' },
    { typed: controlD, code: 2, left: 1, says: 'Nothing was changed.' },
    { typed: controlC, code: 130, left: 1, says: 'Interrupted: nothing was changed.' },
  ])('dq rules delete asks before it deletes, and heeds $typed', async ({ typed, code, left, says }) => {
    await using served = await serveFake();
    const { uuid } = await served.rule('id');
    const run = startDqOnTerminal(['rules', 'delete', uuid], { env: served.env });
    await run.says('Delete this rule and its results? [y/N]');
    run.type(typed);
    const ended = await run.ended;
    expect(ended).toMatchObject({ code });
    expect(ended.stdout).toContain(says);
    expect(ended.stdout).not.toContain('    at ');
    expect(await served.client.validity.list(assetId).toArray()).toHaveLength(left);
  });

  test('dq auth login does not show the key that is typed', async () => {
    const home = mkdtempSync(join(testFolder, 'dq-login-'));
    const run = startDqOnTerminal(['auth', 'login'], { env: { XDG_CONFIG_HOME: home } });
    await run.says('Key: ');
    run.type('typed-secret\r');
    const { code, stdout } = await run.ended;
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('secret') });
    expect(readFileSync(join(home, 'data-quality', 'config.json'), 'utf8')).toContain('typed-secret');
  });

  test('Ctrl-C ends dq auth login while the key is typed', async () => {
    const home = mkdtempSync(join(testFolder, 'dq-login-'));
    const run = startDqOnTerminal(['auth', 'login'], { env: { XDG_CONFIG_HOME: home } });
    await run.says('Key: ');
    run.type(`part${controlC}`);
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(stdout).not.toContain('part');
  });
});
