import { DataQualityClient } from 'data-quality-client';
import { createFakeService, type FakeServiceOptions } from 'data-quality-client/testing';

import { listen } from '../service/listen.ts';

export const assetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';
export const otherAssetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a02';
const tableName = 'shop.sales.orders';

/** A fake service on a loopback port, with the environment that leads `dq` to it. */
export async function serveFake(options: Pick<FakeServiceOptions, 'now'> = {}) {
  const fake = createFakeService({ assets: [assetId, otherAssetId], ...options });
  const server = await listen((request) => {
    const { pathname, search } = new URL(request.url);
    return fake.fetch(new Request(`${fake.baseUrl}${pathname}${search}`, request));
  });
  const client = new DataQualityClient({
    baseUrl: fake.baseUrl,
    apiKey: fake.keys.readWrite,
    fetch: fake.fetch,
    rateLimit: false,
  });
  const env = {
    DATA_QUALITY_BASE_URL: server.url,
    DATA_QUALITY_API_KEY: fake.keys.readWrite,
    DATA_QUALITY_ASSET: assetId,
  };
  return {
    fake,
    client,
    env,
    url: server.url,
    [Symbol.asyncDispose]: () => server.close(),

    rule: (name: string) =>
      client.validity.create(assetId, {
        rule_type: 'NOT_NULL',
        table_path: tableName,
        column_name: name,
        name,
      }),
    metric: () => client.metrics.create(assetId, { metric_type: 'row_count', table_path: tableName }),
  };
}

/** A fake service on a loopback port. */
export type ServedFake = Awaited<ReturnType<typeof serveFake>>;
