import ky, { HTTPError } from 'ky';
import pRetry from 'p-retry';

import { apiKey, type Contestant, rulePath, snapshotsPath, timeoutMs } from '../contestant.ts';
import { ruleBodySchema, snapshotsBodySchema } from '../schemas.ts';

/** The same three packages as ours, put together the way their READMEs show. */
export const kyZodPRetry: Contestant = {
  name: 'ky + zod + p-retry',
  validates: true,
  packages: ['ky', 'zod', 'p-retry'],
  open(baseUrl) {
    const api = ky.create({
      prefix: baseUrl,
      headers: { Authorization: `Bearer ${apiKey}` },
      timeout: timeoutMs,
      retry: 0,
    });
    const get = (path: string, searchParams: Record<string, number> = {}): Promise<unknown> =>
      pRetry(() => api.get(path.slice(1), { searchParams }).json(), {
        retries: 20,
        minTimeout: 1000,
        factor: 1,
        shouldRetry: ({ error }) => error instanceof HTTPError && error.response.status === 429,
      });
    return {
      async getRule() {
        return ruleBodySchema.parse(await get(rulePath)).data;
      },
      async getSnapshots(limit, offset) {
        const body = snapshotsBodySchema.parse(await get(snapshotsPath, { limit, offset }));
        return { items: body.data.items, hasMore: body.pagination.has_more === true };
      },
    };
  },
};
