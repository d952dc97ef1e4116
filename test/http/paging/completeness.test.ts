import { describe, expect, test } from 'vitest';

import { DataQualityClient, isDataQualityError, type Page, type ValidityRule } from '../../../src/index.ts';
import { rejection } from '../../support/connect.ts';

const rules = (from: number, to: number): object[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: from + index, uuid: `v_${from + index}` }));

const idsOf = (list: readonly { readonly id: unknown }[]): unknown[] => list.map(({ id }) => id);

const deep = (fill: string): string => `${'['.repeat(20_000)}${fill}${']'.repeat(20_000)}`;

const result = (id: string, status: string): string => `{"id":${id},"status":"${status}"}`;

/** A client of a service that returns these bodies for the pages of a list. */
function clientOf(answer: (offset: number, limit: number) => unknown): {
  client: DataQualityClient;
  offsets: number[];
} {
  const offsets: number[] = [];
  const client = new DataQualityClient({
    apiKey: 'k',
    baseUrl: 'https://dq.test',
    rateLimit: false,
    maxRetries: 0,
    fetch: async (input, init) => {
      const { searchParams } = new URL(new Request(input, init).url);
      const offset = Number(searchParams.get('offset') ?? 0);
      offsets.push(offset);
      const body = answer(offset, Number(searchParams.get('limit') ?? 50));
      return new Response(typeof body === 'string' ? body : JSON.stringify(body));
    },
  });
  return { client, offsets };
}

const page = (offset: number, limit: number): object[] => rules(offset, Math.min(130, offset + limit));

describe('a list of 130 rules is complete if the service sends', () => {
  const shapes: [string, (offset: number, limit: number) => unknown][] = [
    ['no pagination', (offset, limit) => ({ data: { items: page(offset, limit) } })],
    ['an array without pagination', (offset, limit) => ({ data: page(offset, limit) })],
    ['a bare array', (offset, limit) => page(offset, limit)],
    ['empty pagination', (offset, limit) => ({ data: { items: page(offset, limit) }, pagination: {} })],
    [
      'pagination inside data',
      (offset, limit) => ({
        data: { items: page(offset, limit), pagination: { has_more: offset + limit < 130 } },
      }),
    ],
    [
      'a total inside data',
      (offset, limit) => ({ data: { items: page(offset, limit), pagination: { total: 130 } } }),
    ],
    [
      'fewer items than were asked for, without pagination',
      (offset, limit) => ({ data: { items: page(offset, Math.min(50, limit)) } }),
    ],
    ['the whole list whatever the offset, without pagination', () => ({ data: { items: rules(0, 130) } })],
  ];
  const queries = [{}, { limit: 100 }];

  test.each(shapes)('%s', async (_, answer) => {
    for (const query of queries) {
      const { client } = clientOf(answer);
      const all = idsOf(rules(0, 130) as { id: number }[]);
      expect(idsOf(await client.validity.list('a', query).toArray())).toEqual(all);
      expect(idsOf(await client.validity.list('a', query, { concurrency: 4 }).toArray())).toEqual(all);
      const iterated: unknown[] = [];
      for await (const { id } of client.validity.list('a', query)) iterated.push(id);
      expect(iterated).toEqual(all);
      const paged: unknown[] = [];
      for await (const { items } of client.validity.list('a', query).pages()) paged.push(...idsOf(items));
      expect(paged).toEqual(all);
      const walked: unknown[] = [];
      let next: Page<ValidityRule> | undefined = await client.validity.list('a', query);
      for (let pages = 0; next !== undefined && pages < 10; pages++) {
        walked.push(...idsOf(next.items));
        next = await next.getNextPage();
      }
      expect(walked).toEqual(all);
    }
  });

  test('no page follows a short one', async () => {
    const { client, offsets } = clientOf(() => ({ data: { items: rules(0, 49) } }));
    expect(await client.validity.list('a').toArray()).toHaveLength(49);
    expect(offsets).toEqual([0]);
  });
});

describe('a list that contradicts itself', () => {
  const liars: [string, unknown][] = [
    ['ends before its total', { data: { items: rules(0, 30) }, pagination: { has_more: false, total: 120 } }],
    [
      'ends before its total, inside data',
      { data: { items: rules(0, 30), pagination: { has_more: false, total: 120 } } },
    ],
    ['is empty with a total', { data: { items: [] }, pagination: { total: 120 } }],
    ['is empty and claims more', { data: { items: [] }, pagination: { has_more: true } }],
  ];

  test.each(liars)('is an error: %s', async (_, body) => {
    for (const responseValidation of ['throw', 'warn', 'off'] as const) {
      const client = clientOf(() => body).client.withOptions({ responseValidation });
      const list = client.validity.list('a');
      const expected = { name: 'ResponseValidationError', mayHaveBeenProcessed: true };
      expect(await rejection(list.toArray())).toMatchObject(expected);
      expect(await rejection(client.validity.list('a', {}, { concurrency: 4 }).toArray())).toMatchObject(
        expected,
      );
      expect(await rejection(Array.fromAsync(list))).toMatchObject(expected);
      expect(await rejection(Array.fromAsync(list.pages()))).toMatchObject(expected);
      expect(await rejection((await list).getNextPage())).toMatchObject(expected);
    }
  });

  test('still has its first page', async () => {
    const { client } = clientOf(() => liars[0]?.[1]);
    expect((await client.validity.list('a')).items).toHaveLength(30);
  });
});

describe('paginate', () => {
  test.each([
    ['data in data', { data: { data: [{ id: 1 }] } }],
    ['a name of its own', { data: { alerts: [{ id: 1 }], took_ms: 3 } }],
    ['a name of its own at the top', { alerts: [{ id: 1 }], took_ms: 3 }],
    ['a bare array', [{ id: 1 }]],
  ])('finds the one array there is: %s', async (_, body) => {
    const { client } = clientOf((offset) => (offset === 0 ? body : []));
    expect(await client.paginate({ path: '/api/v1/alerts' }).toArray()).toEqual([{ id: 1 }]);
  });

  test('refuses a body with two arrays or none', async () => {
    for (const body of [{ data: { a: [], b: [] } }, { data: { a: 1 } }, { data: null }, 'null']) {
      const { client } = clientOf(() => body);
      expect(await rejection(client.paginate({ path: '/api/v1/alerts' }).toArray())).toMatchObject({
        name: 'ResponseValidationError',
        message: expect.stringContaining('data.items is missing'),
      });
    }
  });

  test('a documented list has its array in one place', async () => {
    const { client } = clientOf(() => ({ data: { rules: [] } }));
    expect(await rejection(client.validity.list('a').toArray())).toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  test('compares items without an id however deep they are nested', async () => {
    const { client } = clientOf((offset) =>
      offset > 1
        ? '{"data":[]}'
        : `{"data":[{"v":${deep(String(offset))}}],"pagination":{"has_more":${offset < 1}}}`,
    );
    expect(await client.paginate({ path: '/api/v1/x' }).toArray()).toHaveLength(2);
  });
});

test.each(['throw', 'warn', 'off'] as const)(
  'a total that is not a whole number does not hide an item with responseValidation %s',
  async (responseValidation) => {
    for (const total of ['1.0000000000000002', '1e300', '1e999']) {
      const { client } = clientOf(
        () => `{"data":{"items":[{"uuid":"v_1"}]},"pagination":{"total":${total},"has_more":false}}`,
      );
      const list = client.withOptions({ responseValidation }).validity.list('asset');
      expect(await rejection(list.toArray())).toMatchObject({ code: 'INVALID_RESPONSE' });
    }
  },
);

test.each(['limit', 'offset', 'total', 'has_more'])(
  'whatever pagination.%s is, a list ends or fails with an error of this package',
  async (name) => {
    for (const value of [{ toString: 1 }, [[]], -1, 0.5, 2 ** 60, '7', null, true, '']) {
      const pagination = { total: 1, limit: 100, offset: 0, has_more: false, [name]: value };
      const { client } = clientOf(() => ({ data: { items: [{ uuid: 'v_1' }] }, pagination }));
      const list = client.withOptions({ responseValidation: 'off', logLevel: 'off' }).validity.list('asset');
      const outcome = await list.toArray().catch((error: unknown) => error);
      expect(Array.isArray(outcome) || isDataQualityError(outcome)).toBe(true);
    }
  },
);

test('numeric ids beyond 2^53 stay apart', async () => {
  const first = [result('9007199254740992', 'PASS'), result('9007199254740993', 'FAIL')];
  const second = [result('9007199254740993', 'FAIL'), result('9007199254740994', 'PASS')];
  const { client } = clientOf((offset) =>
    offset === 0
      ? `{"data":{"items":[${first.join()}]},"pagination":{"total":4,"offset":0}}`
      : `{"data":{"items":[${second.join()}]},"pagination":{"total":4,"offset":2}}`,
  );
  const statuses = (await client.validity.results('a', 'r').toArray()).map(({ status }) => status);
  expect(statuses).toEqual(['PASS', 'FAIL', 'PASS']);
});
