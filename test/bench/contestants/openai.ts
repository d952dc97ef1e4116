import OpenAI from 'openai';

import {
  apiKey,
  type Contestant,
  rulePath,
  type SnapshotsBody,
  snapshotsPath,
  timeoutMs,
} from '../contestant.ts';

/** The generic core of a client in wide use: timeout, retries, no validation. */
export const openai: Contestant = {
  name: "openai's core",
  validates: false,
  packages: ['openai'],
  open(baseUrl) {
    const client = new OpenAI({ apiKey, baseURL: baseUrl, timeout: timeoutMs, maxRetries: 20 });
    return {
      async getRule() {
        const { data } = await client.get<{ data: unknown }>(rulePath);
        return data;
      },
      async getSnapshots(limit, offset) {
        const query = { limit, offset };
        const { data, pagination } = await client.get<SnapshotsBody>(snapshotsPath, { query });
        return { items: data.items, hasMore: pagination.has_more };
      },
    };
  },
};
