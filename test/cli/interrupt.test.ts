import { expect, test } from 'vitest';

import { startDq } from '../support/dq.ts';
import { serveFake } from '../support/served-fake.ts';

test('Ctrl-C ends a gate at once and says how far it came', async () => {
  await using served = await serveFake();
  for (let at = 0; at < 3; at++) await served.rule(`column_${at}`);
  // The first check gets a response, the others never do.
  served.fake.failNext({ on: 'POST *check', delayMs: 1 });
  served.fake.failNext({ on: 'POST *check', delayMs: 600_000, times: 2 });
  const run = startDq(['gate', '--verbose'], { env: served.env });
  await run.says('/check → 200');
  run.interrupt();
  const { code, stdout, stderr } = await run.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toContain('Interrupted: 1 of 3 checks done.');
});

test('Ctrl-C ends a wait', async () => {
  await using served = await serveFake();
  served.fake.setFreshness(served.env.DATA_QUALITY_ASSET, { status: 'stale' });
  const run = startDq(['freshness', 'wait', '--interval', '1h', '--for', '2h'], { env: served.env });
  await run.says('Waiting until');
  run.interrupt();
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(`Interrupted: ${served.env.DATA_QUALITY_ASSET} was not fresh yet.`);
});
