import { apiKey, type Contestant, rulePath, type SnapshotsBody, snapshotsPath } from '../contestant.ts';

/** What everything else is measured by. */
export const rawFetch: Contestant = {
  name: 'fetch + JSON.parse',
  validates: false,
  packages: [],
  open(baseUrl) {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const get = async (path: string): Promise<unknown> => {
      const response = await fetch(baseUrl + path, { headers });
      return JSON.parse(await response.text());
    };
    return {
      async getRule() {
        const { data } = (await get(rulePath)) as { data: unknown };
        return data;
      },
      async getSnapshots(limit, offset) {
        const path = `${snapshotsPath}?limit=${limit}&offset=${offset}`;
        const { data, pagination } = (await get(path)) as SnapshotsBody;
        return { items: data.items, hasMore: pagination.has_more };
      },
    };
  },
};
