import { DataQualityClient } from 'data-quality-client';
import { createFakeService } from 'data-quality-client/testing';

export const table = 'shop.sales.orders';

/** A fake service with a rule, which passes until a test says otherwise. */
export async function createServed() {
  const fake = createFakeService();
  const client = new DataQualityClient({
    baseUrl: fake.baseUrl,
    apiKey: fake.keys.readWrite,
    fetch: fake.fetch,
    rateLimit: false,
    maxRetries: 0,
  });
  const rule = await client.validity.create(fake.asset.id, {
    rule_type: 'NOT_NULL',
    table_path: table,
    column_name: 'email',
    name: 'email is known',
  });
  return {
    fake,
    client,
    assetId: fake.asset.id,
    fail: () =>
      fake.setCheckResult(rule.uuid, { total_rows: 10, samples: [{ row_id: 3, value: 'ann@example.com' }] }),
    err: () => fake.setCheckResult(rule.uuid, { status: 'error' }),
    /** What a program that makes its own client needs: the environment, and a fetch that leads to the fake. */
    install(stub: { env(name: string, value: string): void; fetch(value: typeof fetch): void }): void {
      stub.env('DATA_QUALITY_BASE_URL', fake.baseUrl);
      stub.env('DATA_QUALITY_API_KEY', fake.keys.readWrite);
      stub.fetch(fake.fetch);
    },
  };
}
