import { apiKey, type Contestant, sessionOf } from '../contestant.ts';

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
    return sessionOf(get);
  },
};
