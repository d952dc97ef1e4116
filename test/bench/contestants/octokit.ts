import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';

import {
  apiKey,
  assetId,
  type Contestant,
  metricId,
  ruleId,
  type SnapshotsBody,
  timeoutMs,
} from '../contestant.ts';

const PacedOctokit = Octokit.plugin(retry, throttling);
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `@octokit/core`, with the plugins that retry and pace where that is what is measured. */
export const octokit: Contestant = {
  name: '@octokit/core',
  validates: false,
  packages: ['@octokit/core', '@octokit/plugin-retry', '@octokit/plugin-throttling'],
  open(baseUrl, options) {
    const common = { auth: apiKey, baseUrl, log: silent };
    const client =
      options?.rateLimit === undefined
        ? new Octokit(common)
        : new PacedOctokit({
            ...common,
            throttle: { onRateLimit: () => true, onSecondaryRateLimit: () => true },
          });
    return {
      async getRule() {
        const { data } = await client.request('GET /api/v1/sdk/validity/{asset_id}/{rule_id}', {
          asset_id: assetId,
          rule_id: ruleId,
          request: { signal: AbortSignal.timeout(timeoutMs) },
        });
        return (data as { data: unknown }).data;
      },
      async getSnapshots(limit, offset) {
        const { data } = await client.request('GET /api/v1/sdk/metrics/{asset_id}/{metric_id}/snapshots', {
          asset_id: assetId,
          metric_id: metricId,
          limit,
          offset,
          request: { signal: AbortSignal.timeout(timeoutMs) },
        });
        const body = data as SnapshotsBody;
        return { items: body.data.items, hasMore: body.pagination.has_more };
      },
    };
  },
};
