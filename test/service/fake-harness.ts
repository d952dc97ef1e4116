import { createFakeService, type FakeService } from 'data-quality-client/testing';

import type { ConformanceHarness } from './conformance.ts';

const assetId = 'a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11';
const unconfiguredAssetId = 'b4cc2909-3f4e-4c7d-8e3f-1d9f6c1b8f22';

/** Creates a fake service with the data that the conformance suite expects. */
export function createFakeHarness(baseUrl: string): {
  readonly fake: FakeService;
  readonly harness: ConformanceHarness;
} {
  const fake = createFakeService({
    baseUrl,
    assets: [
      { id: assetId, name: 'warehouse.shop' },
      { id: unconfiguredAssetId, name: 'warehouse.other' },
    ],
  });
  fake.setFreshness(assetId, { data_age_minutes: 5 });
  const harness: ConformanceHarness = {
    baseUrl,
    fetch: fake.fetch,
    keys: fake.keys,
    assetId,
    assetName: 'warehouse.shop',
    unconfiguredAssetId,
    tablePath: 'warehouse.shop.people',
    prepareRule: (ruleId) =>
      fake.setCheckResult(ruleId, {
        total_rows: 10,
        invalid_count: 2,
        samples: [
          { row_id: 3, value: null },
          { row_id: 7, value: null },
        ],
      }),
    prepareMetric: (metricId) => fake.setMetricValue(metricId, 10),
  };
  return { fake, harness };
}
