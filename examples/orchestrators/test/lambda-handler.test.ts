import type { Context, LambdaFunctionURLEvent } from 'aws-lambda';
import { signPayload } from 'data-quality-client/webhooks';
import { afterEach, expect, test, vi } from 'vitest';

import { createServed } from './served.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The handlers, loaded anew as by a new instance. */
async function load(served: Awaited<ReturnType<typeof createServed>>) {
  served.install({
    env: (name, value) => vi.stubEnv(name, value),
    fetch: (value) => vi.stubGlobal('fetch', value),
  });
  vi.stubEnv('DATA_QUALITY_WEBHOOK_SECRET', 'secret');
  vi.resetModules();
  return import('../lambda-handler.ts');
}

const context = (remaining: number) => ({ getRemainingTimeInMillis: () => remaining }) as Context;

test('the step returns the outcome, without values of rows', async () => {
  const served = await createServed();
  const { check } = await load(served);
  const run = async (): Promise<unknown> =>
    check({ assetId: served.assetId }, context(60_000), () => undefined);
  served.fake.setFreshness(served.assetId, { status: 'fresh', data_age_minutes: 5 });
  expect(await run()).toEqual({ outcome: 'passed', reasons: [] });
  served.fail();
  const failed = await run();
  expect(failed).toMatchObject({ outcome: 'failed' });
  expect(JSON.stringify(failed)).not.toContain('ann@example.com');
});

test('a service that does not respond before Lambda ends the call makes the outcome inconclusive', async () => {
  const served = await createServed();
  const { check } = await load(served);
  vi.stubGlobal('fetch', async () => new Promise<never>(() => undefined));
  const result = await check({ assetId: served.assetId }, context(2050), () => undefined);
  expect(result).toMatchObject({ outcome: 'inconclusive' });
});

test('the function URL accepts signed alerts, also in base64, and no others', async () => {
  const { alerts } = await load(await createServed());
  const log = vi.spyOn(console, 'log').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  const payload = JSON.stringify({
    alert: { id: 'a1', rule_name: 'email is known' },
    event: { type: 'validity_failure', asset: { qualified_name: 'shop.sales.orders' } },
  });
  const post = async (body: string, signature: string, isBase64Encoded = false): Promise<unknown> => {
    const event = {
      rawPath: '/',
      headers: { 'x-service-signature': signature },
      requestContext: { domainName: 'alerts.example.com', http: { method: 'POST' } },
      body,
      isBase64Encoded,
    } as unknown as LambdaFunctionURLEvent;
    return alerts(event, context(1000), () => undefined);
  };
  const signature = await signPayload(payload, 'secret');
  expect(await post(Buffer.from(payload).toString('base64'), signature, true)).toEqual({ statusCode: 200 });
  expect(await post(payload, signature)).toEqual({ statusCode: 200 });
  expect(await post(payload, 'sha256=0000')).toEqual({ statusCode: 401 });
  expect(log.mock.calls).toEqual([
    ['{"type":"validity_failure","table":"shop.sales.orders","rule":"email is known"}'],
  ]);
});
