import * as fc from 'fast-check';
import { test } from 'vitest';

import { DataQualityClient, isDataQualityError } from '../../../src/index.ts';

/** A list may repeat this many pages before a walk gives up; twice as many requests mean that it did not. */
const mostRequests = 250;
const endless = 'the walk does not end';

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    { toString: 1 },
    { valueOf: 1, toJSON: 1 },
    JSON.parse('{"__proto__":{"offset":5}}'),
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    '7',
    null,
  ),
);

const item = fc.oneof(
  odd,
  fc.record({ id: odd }),
  fc.record({ uuid: odd, id: odd }),
  fc.record({ id: fc.nat(5), uuid: fc.constantFrom('v_1', 'v_2') }),
);

const pagination = fc.oneof(
  odd,
  fc.record(
    {
      total: fc.oneof(odd, fc.nat(9)),
      limit: odd,
      offset: fc.oneof(odd, fc.nat(9)),
      has_more: fc.oneof(odd, fc.boolean()),
    },
    { requiredKeys: [] },
  ),
);

const page = fc.record({
  items: fc.oneof({ weight: 8, arbitrary: fc.array(item, { maxLength: 4 }) }, { weight: 1, arbitrary: odd }),
  pagination,
  inside: fc.boolean(),
});

test('a list of anything ends, with its items or with one of our errors', { timeout: 60_000 }, async () => {
  const modes = fc.constantFrom('throw', 'warn', 'off');
  const pages = fc.array(page, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(modes, pages, fc.integer({ min: 1, max: 3 }), async (mode, bodies, concurrency) => {
      let requests = 0;
      const client = new DataQualityClient({
        apiKey: 'k',
        baseUrl: 'https://dq.test',
        rateLimit: false,
        maxRetries: 0,
        responseValidation: mode,
        logLevel: 'off',
        fetch: async () => {
          const body = bodies[Math.min(requests++, bodies.length - 1)];
          if (requests > mostRequests) throw new RangeError(endless);
          const { items, pagination: about, inside } = body ?? { items: [], pagination: {}, inside: false };
          return Response.json(
            inside ? { data: { items, pagination: about } } : { data: { items }, pagination: about },
          );
        },
      });
      const lists = [
        () => client.validity.list('a', {}, { concurrency }).toArray(),
        () => client.metrics.snapshots('a', 'm', {}, { concurrency }).toArray(),
        () => client.paginate({ path: '/x' }).toArray(),
        async () => {
          let walked = await client.validity.list('a');
          for (let count = 0; count < 5; count += 1) {
            const next = await walked.getNextPage();
            if (next === undefined) return;
            walked = next;
          }
        },
      ];
      for (const list of lists) {
        requests = 0;
        try {
          await list();
        } catch (error) {
          if (!isDataQualityError(error) || error.message.includes(endless)) throw error;
        }
      }
    }),
    { numRuns: 400 },
  );
});
