import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';

import { createActivities } from '../temporal-activity.ts';
import { createServed } from './served.ts';

test('good data lets the workflow go on, with heartbeats', async () => {
  const { client, assetId } = await createServed();
  const environment = new MockActivityEnvironment();
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
  const result = await environment.run(createActivities(client).checkDataQuality, assetId);
  expect(result).toEqual({ outcome: 'passed', reasons: [] });
  expect(heartbeats).toEqual([0, 1]);
});

test('bad data is not tried again, inconclusive data is, and no value of a row gets into the history', async () => {
  const { client, assetId, fail, err } = await createServed();
  const { checkDataQuality } = createActivities(client);
  const caught = async (): Promise<unknown> =>
    new MockActivityEnvironment().run(checkDataQuality, assetId).catch((error: unknown) => error);
  fail();
  const failed = await caught();
  expect(failed).toBeInstanceOf(ApplicationFailure);
  expect(failed).toMatchObject({
    type: 'GATE_FAILED',
    nonRetryable: true,
    details: [{ outcome: 'failed', reasons: [expect.stringContaining('email is known')] }],
  });
  expect(JSON.stringify(failed)).not.toContain('ann@example.com');
  err();
  expect(await caught()).toMatchObject({ type: 'GATE_INCONCLUSIVE', nonRetryable: false });
});

test('a cancellation ends the gate', async () => {
  const { client, assetId, fake } = await createServed();
  const environment = new MockActivityEnvironment();
  environment.on('heartbeat', () => environment.cancel('CANCELLED'));
  const before = fake.requests.length;
  await expect(environment.run(createActivities(client).checkDataQuality, assetId)).rejects.toThrow(
    CancelledFailure,
  );
  const checks = fake.requests.slice(before).filter(({ method }) => method === 'POST');
  expect(checks).toEqual([]);
});
