import { execFile } from 'node:child_process';

import { expect, test } from 'vitest';

import { main } from '../support/dq.ts';

test('an older Node is named in one sentence before anything is loaded', async () => {
  const older = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '22.11.0' })`;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  execFile(process.execPath, ['--import', older, main, 'rules', 'list'], (error, stdout, stderr) =>
    resolve({ code: error?.code, stdout, stderr }),
  );
  expect(await promise).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: dq needs Node 22.12 or later; this is Node 22.11.0.\n',
  });
});
