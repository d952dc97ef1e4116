import { apiKey, type Contestant, rulePath, snapshotsPath } from '../contestant.ts';
import { ruleBodySchema, snapshotsBodySchema } from '../schemas.ts';

/** `fetch` and a schema, without a timeout or retries. */
export const fetchZod: Contestant = {
  name: 'fetch + zod',
  validates: true,
  packages: ['zod'],
  open(baseUrl) {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const get = async (path: string): Promise<unknown> => (await fetch(baseUrl + path, { headers })).json();
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
