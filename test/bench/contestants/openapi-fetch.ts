import createClient from 'openapi-fetch';

import { apiKey, assetId, type Contestant, metricId, ruleId, timeoutMs } from '../contestant.ts';

/** What `openapi-typescript` makes of `../openapi.json`, as far as it is used here. */
interface Paths {
  '/api/v1/sdk/validity/{asset_id}/{rule_id}': {
    get: {
      parameters: { path: { asset_id: string; rule_id: string } };
      responses: { 200: { content: { 'application/json': { data: unknown } } } };
    };
  };
  '/api/v1/sdk/metrics/{asset_id}/{metric_id}/snapshots': {
    get: {
      parameters: {
        path: { asset_id: string; metric_id: string };
        query?: { limit?: number; offset?: number };
      };
      responses: {
        200: {
          content: { 'application/json': { data: { items: unknown[] }; pagination: { has_more: boolean } } };
        };
      };
    };
  };
}

export const openapiFetch: Contestant = {
  name: 'openapi-fetch',
  validates: false,
  packages: ['openapi-fetch'],
  open(baseUrl) {
    const client = createClient<Paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
    return {
      async getRule() {
        const path = { asset_id: assetId, rule_id: ruleId };
        const { data } = await client.GET('/api/v1/sdk/validity/{asset_id}/{rule_id}', {
          params: { path },
          signal: AbortSignal.timeout(timeoutMs),
        });
        return data?.data;
      },
      async getSnapshots(limit, offset) {
        const { data } = await client.GET('/api/v1/sdk/metrics/{asset_id}/{metric_id}/snapshots', {
          params: { path: { asset_id: assetId, metric_id: metricId }, query: { limit, offset } },
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { items: data?.data.items ?? [], hasMore: data?.pagination.has_more === true };
      },
    };
  },
};
