import { createFakeService } from 'data-quality-client/testing';
import { setupServer } from 'msw/node';

import { type ConformanceHarness, describeConformance } from './conformance.ts';
import { listen } from './listen.ts';

const assetId = 'a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11';
const unconfiguredAssetId = 'b4cc2909-3f4e-4c7d-8e3f-1d9f6c1b8f22';

function createFake(baseUrl: string) {
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

describeConformance('the fake, in process', async () => createFake('https://dq.test/prefix').harness);

describeConformance('the fake, through MSW', async () => {
  const { fake, harness } = createFake('https://msw.test');
  const server = setupServer(...fake.handlers);
  server.listen();
  return {
    ...harness,
    fetch: async (input, init) => fetch(input, init),
    close: async () => server.close(),
  };
});

describeConformance('the fake, over a socket', async () => {
  const { fake, harness } = createFake('http://127.0.0.1');
  const served = await listen(async (request) => {
    const { pathname, search } = new URL(request.url);
    return fake.fetch(new Request(`http://127.0.0.1${pathname}${search}`, request));
  });
  return {
    ...harness,
    baseUrl: served.url,
    fetch: async (input, init) => fetch(input, init),
    close: async () => served.close(),
  };
});
