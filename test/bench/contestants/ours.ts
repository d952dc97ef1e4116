import { createRedisRateLimitStore, DataQualityClient, type RateLimitOption } from 'data-quality-client';
import { Redis } from 'ioredis';

import { apiKey, assetId, type Contestant, metricId, ruleId, type SessionOptions } from '../contestant.ts';

function rateLimitOption({ rateLimit = 'auto', redisPort }: SessionOptions): RateLimitOption {
  if (redisPort === undefined || rateLimit === 'auto') return rateLimit;
  const connection = new Redis({ port: redisPort, host: '127.0.0.1' });
  return { ...rateLimit, store: createRedisRateLimitStore(connection) };
}

export const ours: Contestant = {
  name: 'data-quality-client',
  validates: true,
  packages: ['ky', 'zod', 'p-retry'],
  open(baseUrl, options = {}) {
    const client = new DataQualityClient({
      apiKey,
      baseUrl,
      rateLimit: rateLimitOption(options),
      maxRetries: 20,
    });
    return {
      getRule: () => client.validity.get(assetId, ruleId),
      async getSnapshots(limit, offset) {
        const page = await client.metrics.snapshots(assetId, metricId, { limit, offset });
        return { items: page.items, hasMore: page.hasNextPage() };
      },
      iterate: (limit, concurrency) =>
        client.metrics.snapshots(assetId, metricId, { limit }, concurrency === 1 ? {} : { concurrency }),
    };
  },
};
