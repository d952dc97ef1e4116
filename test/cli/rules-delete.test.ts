import { expect, test } from 'vitest';

import { dqHere } from '../support/dq-here.ts';
import { assetId, serveFake } from '../support/served-fake.ts';

const noId = 'v_00000000-0000-4000-8000-000000000000';

test('dq rules delete deletes nothing if one of the rules does not exist', async () => {
  await using served = await serveFake();
  const [first, second] = [await served.rule('a'), await served.rule('b')];
  const run = await dqHere(['rules', 'delete', first.uuid, noId, second.uuid], { env: served.env });
  expect(run).toMatchObject({ code: 4, stdout: '' });
  expect(run.stderr).toContain(`No rule ${noId}. Nothing was deleted.`);
  expect(await served.client.validity.list(assetId).toArray()).toHaveLength(2);
});

test('dq rules delete prints what it deleted, a rule that is named twice once', async () => {
  await using served = await serveFake();
  const [first, second, third] = [await served.rule('a'), await served.rule('b'), await served.rule('c')];
  const text = await dqHere(['rules', 'delete', first.uuid, first.uuid], { env: served.env });
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toBe(`Deleted ${first.uuid}  a  NOT_NULL of shop.sales.orders.a\n`);
  const json = await dqHere(['rules', 'delete', '--yes', '--json', second.uuid, third.uuid], {
    env: served.env,
  });
  expect(JSON.parse(json.stdout)).toEqual({ deleted: [second.uuid, third.uuid] });
});

test('dq rules delete prints what is gone if the service fails halfway', async () => {
  await using served = await serveFake();
  const [first, second] = [await served.rule('a'), await served.rule('b')];
  served.fake.failNext({ on: 'DELETE *', delayMs: 1 });
  served.fake.failNext({ on: 'DELETE *', status: 409 });
  const run = await dqHere(['rules', 'delete', '--json', first.uuid, second.uuid], { env: served.env });
  expect(run.code).not.toBe(0);
  expect(JSON.parse(run.stdout)).toEqual({ deleted: [first.uuid] });
});
