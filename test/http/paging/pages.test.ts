import { getEventListeners } from 'node:events';

import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { DataQualityClient, isDataQualityError, Page } from '../../../src/index.ts';
import { assetId, connect, rejection, skipBackOff } from '../../support/connect.ts';
import { answers, fails, gives, hangs, startServer } from '../../support/server.ts';

skipBackOff();

interface Item {
  readonly id: number;
  readonly uuid: string;
}

const toItem = (id: number): Item => ({ id, uuid: `v_${id}` });

function pageOf(ids: readonly number[], pagination: object): object {
  return { data: { items: ids.map(toItem) }, pagination };
}

function clientOf(answer: (offset: number, limit: number) => object): DataQualityClient {
  return new DataQualityClient({
    apiKey: 'k',
    baseUrl: 'https://dq.test',
    rateLimit: false,
    maxRetries: 0,
    fetch: async (input, init) => {
      const { searchParams } = new URL(new Request(input, init).url);
      const limit = Number(searchParams.get('limit') ?? 50);
      return Response.json(answer(Number(searchParams.get('offset') ?? 0), limit));
    },
  });
}

async function idsOf(items: AsyncIterable<{ readonly id: number }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

/** A list of one item that repeats as often while its total moves, with another item behind. */
const repeating = (repeats: number) =>
  clientOf((offset) =>
    offset <= repeats
      ? pageOf([1], { total: 2 + offset, limit: 1, offset, has_more: true })
      : pageOf([2], { total: 1 + offset, limit: 1, offset, has_more: false }),
  ).validity.list(assetId, { limit: 1 });

describe('a page', () => {
  const first = pageOf([1, 2], { total: 3, limit: 2, offset: 0, has_more: true });
  const last = pageOf([3], { total: 3, limit: 2, offset: 2, has_more: false });

  test('leads to the next one', async () => {
    await using server = await startServer(answers(200, first), answers(200, last));
    const page = await connect(server).validity.list(assetId, { rule_type: 'REGEX', limit: 2 });
    expect(page).toBeInstanceOf(Page);
    expect(page.hasNextPage()).toBe(true);
    const next = await page.getNextPage();
    expect(next?.items).toEqual([toItem(3)]);
    expect(next?.hasNextPage()).toBe(false);
    expect(await next?.getNextPage()).toBeUndefined();
    expect(server.requests.map(({ url }) => url)).toEqual([
      `/api/v1/sdk/validity/${assetId}?rule_type=REGEX&limit=2`,
      `/api/v1/sdk/validity/${assetId}?rule_type=REGEX&limit=2&offset=2`,
    ]);
  });

  test('pages() gives them as the service does', async () => {
    await using server = await startServer(answers(200, first), answers(200, last));
    const sizes: number[] = [];
    for await (const page of connect(server).validity.list(assetId).pages()) sizes.push(page.items.length);
    expect(sizes).toEqual([2, 1]);
  });
});

describe('toArray', () => {
  const list = Array.from({ length: 10 }, (_, id) => id);
  const client = clientOf((offset, limit) =>
    pageOf(list.slice(offset, offset + limit), { total: 10, limit, offset, has_more: offset + limit < 10 }),
  );

  test.each([
    [undefined, 10],
    [Infinity, 10],
    [100, 10],
    [7, 7],
    [1, 1],
    [0, 0],
  ])('max: %s', async (max, count) => {
    const items = await client.validity.list(assetId, { limit: 3 }).toArray(max === undefined ? {} : { max });
    expect(items.map(({ id }) => id)).toEqual(list.slice(0, count));
  });

  test.each([-1, 1.5, Number.NaN])('refuses max: %s', async (max) => {
    expect(await rejection(client.validity.list(assetId).toArray({ max }))).toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringContaining('max'),
    });
  });
});

describe('iteration', () => {
  const first = answers(200, pageOf([1, 2], { total: 6, limit: 2, offset: 0, has_more: true }));
  const second = answers(200, pageOf([3, 4], { total: 6, limit: 2, offset: 2, has_more: true }));

  test('fetches the next page, and only that, while the caller works on this one', async () => {
    await using server = await startServer(first, second, hangs);
    const items = connect(server).validity.list(assetId)[Symbol.asyncIterator]();
    expect((await items.next()).value).toEqual(toItem(1));
    await server.received(2);
    expect((await items.next()).value).toEqual(toItem(2));
    expect(server.requests).toHaveLength(2);
    expect((await items.next()).value).toEqual(toItem(3));
    await server.received(3);
    await items.return?.();
  });

  test('cancels what is in flight when the caller breaks out', async () => {
    await using server = await startServer(first, hangs);
    for await (const _ of connect(server).validity.list(assetId)) {
      await server.received(2);
      break;
    }
    await server.abandoned(1);
    expect(server.requests).toHaveLength(2);
  });

  test('cancels all pages of a concurrent one', async () => {
    await using server = await startServer(first, hangs);
    for await (const _ of connect(server).validity.list(assetId, {}, { concurrency: 4 })) {
      await server.received(3);
      break;
    }
    await server.abandoned(2);
    expect(server.requests.map(({ url }) => url.split('?')[1])).toEqual([undefined, 'offset=2', 'offset=4']);
  });

  test('throws what the next page throws, after the items of this one', async () => {
    await using server = await startServer(first, fails(404, 'ASSET_NOT_FOUND'));
    const ids: number[] = [];
    const iterating = (async () => {
      for await (const { id } of connect(server).validity.list(assetId)) ids.push(id);
    })();
    expect(await rejection(iterating)).toMatchObject({ code: 'ASSET_NOT_FOUND' });
    expect(ids).toEqual([1, 2]);
  });

  test('ends with AbortError when its signal aborts, and leaves no listener on it', async () => {
    await using server = await startServer(first, hangs);
    const controller = new AbortController();
    const list = connect(server).validity.list(assetId, {}, { signal: controller.signal });
    const iterating = rejection(idsOf(list));
    await server.received(2);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await iterating).toMatchObject({ name: 'AbortError', cause: reason });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('leaves no rejection unhandled, whichever promise the caller takes', async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', listen);
    await using server = await startServer(fails(404, 'ASSET_NOT_FOUND'));
    await using breaking = await startServer(first, fails(404, 'ASSET_NOT_FOUND'));
    const { validity } = connect(server);
    await rejection(validity.list(assetId).toArray());
    await rejection(idsOf(validity.list(assetId)));
    await rejection(validity.list(assetId).pages().next());
    await rejection(validity.list(assetId).withResponse());
    await rejection(validity.summary(assetId).withResponse());
    for await (const _ of connect(breaking).validity.list(assetId)) {
      await breaking.received(2);
      break;
    }
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 20);
    await turn;
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });

  test('an empty list has no items', async () => {
    await using server = await startServer(gives({ items: [] }));
    expect(await idsOf(connect(server).validity.list(assetId))).toEqual([]);
  });
});

/** Pagination as services write it; each tells enough to find the next page. */
const paginationForms: ((total: number, limit: number, offset: number, hasMore: boolean) => object)[] = [
  (total, limit, offset, has_more) => ({ total, limit, offset, has_more }),
  (_total, limit, offset, has_more) => ({ limit, offset, has_more }),
  (total, limit, offset) => ({ total, limit, offset }),
  (_total, _limit, _offset, has_more) => ({ has_more }),
  (total) => ({ total }),
  (total, limit, offset) => ({ total, limit, offset, has_more: null }),
];

const size = fc.integer({ min: 1, max: 12 });
const concurrency = fc.integer({ min: 1, max: 5 });

test('whatever page sizes are asked for and allowed, every item comes once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60 }),
      size,
      size,
      fc.integer({ min: 0, max: 20 }),
      concurrency,
      fc.constantFrom(...paginationForms),
      async (count, asked, allowed, start, atOnce, form) => {
        const list = Array.from({ length: count }, (_, id) => id);
        const client = clientOf((offset, limit) => {
          const given = Math.min(limit, allowed);
          const hasMore = offset + given < count;
          return pageOf(list.slice(offset, offset + given), form(count, given, offset, hasMore));
        });
        const rules = client.validity.list(assetId, { limit: asked, offset: start }, { concurrency: atOnce });
        expect(await idsOf(rules)).toEqual(list.slice(start));
      },
    ),
    { numRuns: 300 },
  );
});

/** What others do to a list between two of our requests. */
type Change = { readonly insert: readonly number[] } | { readonly remove: readonly number[] };

const positions = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 4 });
const insertion = fc.record({ insert: positions });
const removal = fc.record({ remove: positions });
const noChange = fc.constant<Change>({ insert: [] });

/** A list that changes after each request as a script says, and what of it survived from beginning to end. */
class ShiftingList {
  readonly client: DataQualityClient;
  readonly initial: readonly number[];
  #ids: number[];
  #nextId: number;

  constructor(count: number, allowed: number, script: readonly Change[]) {
    this.initial = Array.from({ length: count }, (_, id) => id);
    this.#ids = [...this.initial];
    this.#nextId = count;
    const changes = [...script];
    this.client = clientOf((offset, limit) => {
      const given = Math.min(limit, allowed);
      const total = this.#ids.length;
      const pagination = { total, limit: given, offset, has_more: offset + given < total };
      const page = pageOf(this.#ids.slice(offset, offset + given), pagination);
      this.#change(changes.shift() ?? { insert: [] });
      return page;
    });
  }

  get survivors(): number[] {
    return this.initial.filter((id) => this.#ids.includes(id));
  }

  #change(change: Change): void {
    if ('insert' in change) {
      for (const at of change.insert) this.#ids.splice(at % (this.#ids.length + 1), 0, this.#nextId++);
    } else {
      for (const at of change.remove) this.#ids.splice(at % Math.max(1, this.#ids.length), 1);
    }
  }
}

async function expectSurvivorsOnce(list: ShiftingList, limit: number, atOnce: number): Promise<void> {
  const seen = await idsOf(list.client.validity.list(assetId, { limit }, { concurrency: atOnce }));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => list.survivors.includes(id))).toHaveLength(list.survivors.length);
}

// What can be noticed is a total that moved. Where items are added and others removed in one and the same gap,
// so that the total stays, no client can notice: hence one kind of change a gap.
test('while a list shifts, each surviving item comes once', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60 }),
      size,
      size,
      fc.array(fc.oneof(insertion, removal, noChange), { maxLength: 30 }),
      async (count, asked, allowed, script) => {
        await expectSurvivorsOnce(new ShiftingList(count, allowed, script), asked, 1);
      },
    ),
    { numRuns: 600 },
  );
});

// Pages fetched at once arrive in any order, so between two neighbours lie several gaps: one kind of
// change for the whole walk.
test('does so also when several pages are fetched at once', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60 }),
      size,
      size,
      concurrency,
      fc
        .constantFrom(insertion, removal)
        .chain((kind) => fc.array(fc.oneof(kind, noChange), { maxLength: 30 })),
      async (count, asked, allowed, atOnce, script) => {
        await expectSurvivorsOnce(new ShiftingList(count, allowed, script), asked, atOnce);
      },
    ),
    { numRuns: 400 },
  );
});

describe('lying about paging', () => {
  test.each([
    ['a page that repeats', () => pageOf([1, 2], { total: 9, limit: 2, offset: 0, has_more: true }), 2],
    [
      'a page that repeats, wherever it says it is',
      (offset: number) => pageOf([1, 2], { total: 9, limit: 2, offset, has_more: true }),
      2,
    ],
    ['a repeat without a total', () => pageOf([1, 2], { has_more: true }), 2],
    [
      'an empty page that claims more',
      () => pageOf([], { total: 9, limit: 2, offset: 0, has_more: true }),
      1,
    ],
    ['an empty page later on', (offset: number) => pageOf(offset === 0 ? [1] : [], { has_more: true }), 2],
    [
      'an offset that is stuck',
      (offset: number) => pageOf([offset, offset + 1], { total: 99, offset: 0, has_more: true }),
      2,
    ],
  ])('%s ends in an error soon', async (_, answer, requests) => {
    let count = 0;
    const client = clientOf((offset) => {
      count++;
      return answer(offset);
    });
    expect(await rejection(idsOf(client.validity.list(assetId)))).toMatchObject({
      name: 'ResponseValidationError',
      message: expect.stringMatching(/pagination: a page .*claims that more follow/),
    });
    // One more may have been on its way.
    expect(count).toBeLessThanOrEqual(requests + 1);
  });

  test('a page that repeats under a total that moves every time ends as well', async () => {
    let count = 0;
    const client = clientOf((offset) => pageOf([1, 2], { total: 10 + count++, offset, has_more: true }));
    expect(await rejection(idsOf(client.validity.list(assetId)))).toMatchObject({
      name: 'ResponseValidationError',
    });
    expect(count).toBeLessThan(200);
  });

  test('a hundred pages that repeat while the total moves are walked through, one more is not', async () => {
    expect(await idsOf(repeating(100))).toEqual([1, 2]);
    await expect(idsOf(repeating(101))).rejects.toThrow('a page repeats items');
  });

  test('items without an id are compared a page at a time', async () => {
    const client = clientOf(() => ({ data: [{ name: 'a' }, { name: 'b' }], pagination: { has_more: true } }));
    expect(await rejection(client.paginate({ path: '/api/v1/x' }).toArray())).toMatchObject({
      name: 'ResponseValidationError',
    });
  });

  test('any sequence of pages ends', { timeout: 60_000 }, async () => {
    const lie = fc.record({
      ids: fc.array(fc.nat({ max: 8 }), { maxLength: 4 }),
      pagination: fc.record(
        {
          total: fc.oneof(fc.nat({ max: 12 }), fc.constantFrom(null, -1, 1e9)),
          offset: fc.oneof(fc.nat({ max: 12 }), fc.constantFrom(null, -1, 1e9)),
          has_more: fc.oneof(fc.boolean(), fc.constant(null)),
        },
        { requiredKeys: [] },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(lie, { minLength: 1, maxLength: 6 }), concurrency, async (lies, atOnce) => {
        let count = 0;
        const client = clientOf(() => {
          if (count > 3000) throw new Error('it does not end');
          const { ids, pagination } = lies[count++ % lies.length] ?? { ids: [], pagination: {} };
          return pageOf(ids, pagination);
        });
        const outcome: unknown = await idsOf(
          client.validity.list(assetId, {}, { concurrency: atOnce }),
        ).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || isDataQualityError(outcome)).toBe(true);
        expect(count).toBeLessThanOrEqual(3000);
      }),
      { numRuns: 400 },
    );
  });
});

describe('concurrency', () => {
  test('fetches that many pages at once, and yields their items in order', async () => {
    const waiting: (() => void)[] = [];
    const offsets: number[] = [];
    const list = Array.from({ length: 12 }, (_, id) => id);
    const client = new DataQualityClient({
      apiKey: 'k',
      baseUrl: 'https://dq.test',
      rateLimit: false,
      fetch: async (input, init) => {
        const offset = Number(new URL(new Request(input, init).url).searchParams.get('offset') ?? 0);
        offsets.push(offset);
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        if (offset === 0) resolve();
        // The last of the pages that were requested at once arrives first.
        if (waiting.length === 4) for (const go of waiting.toReversed()) go();
        if (offset > 6) resolve();
        await promise;
        const pagination = { total: 12, limit: 2, offset, has_more: offset + 2 < 12 };
        return Response.json(pageOf(list.slice(offset, offset + 2), pagination));
      },
    });
    expect(await idsOf(client.validity.list(assetId, { limit: 2 }, { concurrency: 3 }))).toEqual(list);
    expect(offsets).toEqual([0, 2, 4, 6, 8, 10]);
  });

  test('never has more pages on their way, nor more that wait for a slow caller than twice as many less one', async () => {
    let onTheWay = 0;
    let most = 0;
    const offsets: number[] = [];
    const client = new DataQualityClient({
      apiKey: 'k',
      baseUrl: 'https://dq.test',
      rateLimit: false,
      fetch: async (input) => {
        const offset = Number(new URL(new Request(input).url).searchParams.get('offset') ?? 0);
        offsets.push(offset);
        most = Math.max(most, ++onTheWay);
        await new Promise((resolve) => void setImmediate(resolve));
        onTheWay--;
        return Response.json(pageOf([offset], { total: 100, limit: 1, offset, has_more: offset < 99 }));
      },
    });
    const iterator = client.validity.list(assetId, { limit: 1 }, { concurrency: 4 })[Symbol.asyncIterator]();
    for (const taken of [1, 2, 3]) {
      await iterator.next();
      await vi.waitFor(() => expect(offsets).toHaveLength(taken + 7));
      // Whatever else would be asked for has been by now.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
      expect(offsets).toEqual(Array.from({ length: taken + 7 }, (_, index) => index));
    }
    await iterator.return?.();
    expect(most).toBe(4);
  });
});
