import { DataQualityClient } from 'data-quality-client';
import type { Definition } from 'data-quality-client/rules';
import { createFakeService, type FakeService } from 'data-quality-client/testing';

export const assetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';

export const table = 'shop.sales.orders';

/** A fake service, a client of it that does not retry, and its requests that change something. */
export function setUp(): {
  readonly fake: FakeService;
  readonly client: DataQualityClient;
  readonly writes: () => string[];
} {
  const fake = createFakeService({ assets: [assetId] });
  const client = new DataQualityClient({
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    apiKey: fake.keys.readWrite,
    maxRetries: 0,
    rateLimit: false,
    logLevel: 'off',
  });
  const writes = (): string[] =>
    fake.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method);
  return { fake, client, writes };
}

/** A definition of one table. */
export function define(entries: Definition['tables'][string]): Definition {
  return { tables: { [table]: entries } };
}
