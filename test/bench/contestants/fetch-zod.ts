import { apiKey, type Contestant, rulePath, snapshotsPath, timeoutMs } from '../contestant.ts';
import { ruleBodySchema, snapshotsBodySchema } from '../schemas.ts';

/** `fetch`, a timeout and a schema, without retries. */
export const fetchZod: Contestant = {
  name: 'fetch + zod',
  validates: true,
  packages: ['zod'],
  open(baseUrl) {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const get = async (path: string): Promise<unknown> => {
      const response = await fetch(baseUrl + path, { headers, signal: AbortSignal.timeout(timeoutMs) });
      return response.json();
    };
    return {
      async getRule() {
        return ruleBodySchema.parse(await get(rulePath)).data;
      },
      async getSnapshots(limit, offset) {
        const body = snapshotsBodySchema.parse(await get(`${snapshotsPath}?limit=${limit}&offset=${offset}`));
        return { items: body.data.items, hasMore: body.pagination.has_more === true };
      },
    };
  },
};
