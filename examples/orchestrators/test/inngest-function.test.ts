import { InngestTestEngine } from '@inngest/test';
import { expect, test, vi } from 'vitest';

import { createPublishFunction } from '../inngest-function.ts';
import { createServed, table } from './served.ts';

async function createEngine() {
  const served = await createServed();
  const publish = vi.fn<(name: string) => Promise<void>>(async () => undefined);
  const engine = new InngestTestEngine({
    function: createPublishFunction(publish, () => served.client),
    events: [{ name: 'warehouse/table.loaded', data: { assetId: served.assetId, table } }],
  });
  return { ...served, publish, engine };
}

test('a table is published if its data is good', async () => {
  const { engine, publish } = await createEngine();
  const { result } = await engine.execute();
  expect(result).toEqual({ published: table });
  expect(publish.mock.calls).toEqual([[table]]);
});

test('bad data is not published', async () => {
  const { engine, publish, fail } = await createEngine();
  fail();
  const { error } = await engine.execute();
  expect(error).toMatchObject({
    name: 'NonRetriableError',
    message: expect.stringContaining('email is known') as string,
  });
  expect(JSON.stringify(error)).not.toContain('ann@example.com');
  expect(publish).not.toHaveBeenCalled();
});

test('inconclusive data is not published either', async () => {
  const { engine, publish, err } = await createEngine();
  err();
  const { error } = await engine.execute();
  expect(error).toMatchObject({
    name: 'RetryAfterError',
    message: expect.stringContaining(table) as string,
  });
  expect(publish).not.toHaveBeenCalled();
});
