import { apiKey, assetId, type Contestant, metricId, ruleId, timeoutMs } from '../contestant.ts';
import * as plain from './generated/hey-api.js';
import * as validating from './generated/hey-api-zod.js';

/** A client that `@hey-api/openapi-ts` generated from `../openapi.json`. */
function contestant(name: string, generated: typeof plain, validates: boolean): Contestant {
  return {
    name,
    validates,
    packages: validates ? ['zod'] : [],
    open(baseUrl) {
      const client = generated.createClient({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
      return {
        async getRule() {
          const path = { asset_id: assetId, rule_id: ruleId };
          const signal = AbortSignal.timeout(timeoutMs);
          const { data } = await generated.getRule({ client, path, signal, throwOnError: true });
          return data.data;
        },
        async getSnapshots(limit, offset) {
          const path = { asset_id: assetId, metric_id: metricId };
          const query = { limit, offset };
          const signal = AbortSignal.timeout(timeoutMs);
          const { data } = await generated.listSnapshots({ client, path, query, signal, throwOnError: true });
          return { items: data.data.items, hasMore: data.pagination.has_more };
        },
      };
    },
  };
}

export const heyApi = contestant('@hey-api/openapi-ts', plain, false);
export const heyApiZod = contestant('@hey-api/openapi-ts with zod', validating, true);
