import { expect, test } from 'vitest';

import { slaRoute } from '../../src/service/sla-route.ts';
import { createMemoryStore } from '../../src/testing/memory-store.ts';
import { assetId, serve } from './parts.ts';

// A Wednesday; its week began on 2026-03-02.
const now = Date.parse('2026-03-04T12:00:00Z');
const hour = 3_600_000;

async function slaOf(query: string, configuration: { readonly target_percent?: number } | undefined = {}) {
  const store = createMemoryStore();
  const assets = [{ id: assetId, numericId: 7, name: 'warehouse.shop' }];
  for (const [status, at] of [
    ['fresh', now - 4 * hour],
    ['stale', now - hour],
    ['stale', now],
  ] as const) {
    await store.freshness.record(assetId, { status, at }, 24 * hour);
  }
  const { call } = serve({
    store,
    ownRoutes: [
      slaRoute({ assets, store: store.freshness, now: () => now, configured: async () => configuration }),
    ],
  });
  return call('GET', `/api/v1/local/assets/${query}`);
}

test('the past of an asset is that of four weeks, with a target of 99 % if no other is set', async () => {
  expect(await slaOf(`${assetId}/sla`)).toMatchObject({
    status: 200,
    body: {
      data: {
        asset: 'warehouse.shop',
        target_percent: 99,
        from: '2026-02-09T00:00:00Z',
        until: '2026-03-04T12:00:00Z',
        fresh_minutes: 180,
        stale_minutes: 60,
        fresh_percent: 75,
        weeks: [{ week: '2026-03-02' }, {}, {}, { week: '2026-02-09' }],
      },
    },
  });
});

test('the query has the last word about the target, then the configuration; the asset may be named', async () => {
  const configured = { target_percent: 90 };
  expect(await slaOf('warehouse.shop/sla', configured)).toMatchObject({
    body: { data: { target_percent: 90 } },
  });
  expect(await slaOf(`${assetId}/sla?target_percent=99.95&weeks=1`, configured)).toMatchObject({
    body: { data: { target_percent: 99.95, from: '2026-03-02T00:00:00Z', weeks: [{ week: '2026-03-02' }] } },
  });
});

test.each([
  ['weeks=0', 400],
  ['weeks=1', 200],
  ['weeks=53', 200],
  ['weeks=54', 400],
  ['target_percent=0', 400],
  ['target_percent=0.01', 200],
  ['target_percent=99.99', 200],
  ['target_percent=100', 400],
  ['target_percent=99.', 400],
])('%s is %i', async (query, status) => {
  expect((await slaOf(`${assetId}/sla?${query}`)).status).toBe(status);
});

test('an asset without a threshold has no past to judge', async () => {
  const store = createMemoryStore();
  const assets = [{ id: assetId, numericId: 7, name: 'warehouse.shop' }];
  const { call } = serve({
    ownRoutes: [
      slaRoute({ assets, store: store.freshness, now: () => now, configured: async () => undefined }),
    ],
  });
  expect(await call('GET', `/api/v1/local/assets/${assetId}/sla`)).toMatchObject({
    status: 422,
    body: { error: { code: 'FRESHNESS_NOT_CONFIGURED', details: { asset_id: assetId } } },
  });
});
