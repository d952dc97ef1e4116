import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isSame, SeenItems } from '../../../src/http/paging/seen-items.ts';

/** Ids as services number them: rising or falling, with one out of its place now and then, or none in any order. */
const ids = fc
  .record({
    start: fc.integer({ min: 0, max: 20 }),
    steps: fc.array(fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.integer({ min: -4, max: 4 })), {
      maxLength: 30,
    }),
    falls: fc.boolean(),
  })
  .map(({ start, steps, falls }) => {
    let id = start;
    return steps.map((step) => (id += falls ? -step : step));
  });

const items = fc.oneof(
  ids.map((list) => list.map((id) => ({ id }))),
  ids.map((list) => list.map((id) => ({ uuid: `v_${id}`, id: 7 }))),
  ids.map((list) => list.map((id) => ({ id: id % 3 === 0 ? `m_${id}` : id }))),
);

function toPages<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, page) =>
    list.slice(page * size, (page + 1) * size),
  );
}

function keyOf(item: { readonly id: number | string; readonly uuid?: string }): number | string {
  return item.uuid ?? item.id;
}

describe('the items that a walk has met', () => {
  it('are distinguished from new ones whatever the order of their ids', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 7 }), (list, size) => {
        const seen = new SeenItems<(typeof list)[number]>();
        const met = new Set<number | string>();
        for (const page of toPages(list, size)) {
          expect(seen.hasAll({ items: page })).toBe(page.every((item) => met.has(keyOf(item))));
          const unseen = page.filter((item) => {
            const isNew = !met.has(keyOf(item));
            met.add(keyOf(item));
            return isNew;
          });
          expect(seen.add({ items: page })).toEqual(unseen);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are a whole page if they have no id', () => {
    const seen = new SeenItems<{ readonly name: string }>();
    const page = [{ name: 'a' }, { name: 'a' }];
    expect(seen.add({ items: page })).toBe(page);
    expect(seen.hasAll({ items: [{ name: 'a' }, { name: 'a' }] })).toBe(true);
    expect(seen.hasAll({ items: [{ name: 'a' }] })).toBe(false);
  });
});

describe('two JSON values', () => {
  const deep = { a: [1, { b: null }], c: 'text' };

  it.each([
    [1, 1],
    [null, null],
    ['', ''],
    [[], []],
    [{}, {}],
    [deep, structuredClone(deep)],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ])('are the same: %j and %j', (one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  it.each([
    [1, 2],
    [1, '1'],
    [0, null],
    [null, {}],
    ['', []],
    ['a', ['a']],
    [true, {}],
    [[1], [1, 1]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [deep, { ...deep, a: [1, { b: 0 }] }],
    [[[[1]]], [[[2]]]],
  ])('are not the same: %j and %j', (one, other) => {
    expect([isSame(one, other), isSame(other, one)]).toEqual([false, false]);
  });

  it('are compared however deep they are', () => {
    const text = '['.repeat(5000) + ']'.repeat(5000);
    expect(isSame(JSON.parse(text), JSON.parse(text))).toBe(true);
  });
});
