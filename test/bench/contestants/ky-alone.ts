import ky from 'ky';

import { apiKey, type Contestant, sessionOf, timeoutMs } from '../contestant.ts';

/** `fetch` with a timeout, called by a ky that does nothing else: what no client on ky can cost less than. */
export const kyAlone: Contestant = {
  name: 'fetch with a timeout, through ky',
  validates: false,
  packages: ['ky'],
  open(baseUrl) {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const get = async (path: string): Promise<unknown> => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), timeoutMs);
      try {
        const response = await ky(baseUrl + path, {
          fetch: () => fetch(baseUrl + path, { headers, signal: controller.signal }),
          retry: 0,
          timeout: false,
          throwHttpErrors: false,
        });
        return JSON.parse(await response.text());
      } finally {
        clearTimeout(timer);
      }
    };
    return sessionOf(get);
  },
};
