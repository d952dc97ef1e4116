import { DataQualityClient, type CreateValidityRule, type ValidityRule } from 'data-quality-client';
import { createFakeService, type FakeService } from 'data-quality-client/testing';

export const assetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';
export const otherAssetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a02';

/** A fake service with two assets and a client of it that neither retries nor waits. */
export function setUp(): { readonly fake: FakeService; readonly client: DataQualityClient } {
  const fake = createFakeService({ assets: [assetId, otherAssetId] });
  return { fake, client: clientOf(fake, fake.keys.readWrite) };
}

export function clientOf(fake: FakeService, apiKey: string): DataQualityClient {
  return new DataQualityClient({
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    apiKey,
    maxRetries: 0,
    rateLimit: false,
    logLevel: 'off',
  });
}

/** Creates a rule, by default on a column of its own name. */
export function createRule(
  client: DataQualityClient,
  name: string,
  fields: Partial<Pick<CreateValidityRule, 'severity' | 'table_path'>> = {},
  asset = assetId,
): Promise<ValidityRule> {
  return client.validity.create(asset, {
    rule_type: 'NOT_NULL',
    table_path: 'shop.sales.orders',
    column_name: name.replaceAll(' ', '_'),
    name,
    ...fields,
  });
}
