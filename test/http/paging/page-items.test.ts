import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { Page } from '../../../src/http/paging/page.ts';
import { PageItems } from '../../../src/http/paging/page-items.ts';
import type { WalkedPage } from '../../../src/http/paging/page-walk.ts';

async function* walk(
  pages: readonly (readonly number[])[],
  failure?: Error,
): AsyncGenerator<WalkedPage<number>, void> {
  for (const unseen of pages) {
    await Promise.resolve();
    yield {
      page: new Page({ items: unseen, pagination: {} }, 0, () => Promise.reject(new Error('no'))),
      unseen,
    };
  }
  if (failure !== undefined) throw failure;
}

it('gives the items in the order of the pages, however many are asked for at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 6 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
      async (pages, atOnce) => {
        const items = new PageItems(walk(pages));
        const given: number[] = [];
        for (const count of atOnce) {
          const results = await Promise.all(Array.from({ length: count }, () => items.next()));
          given.push(...results.filter((result) => result.done !== true).map(({ value }) => value));
          if (results.some(({ done }) => done)) break;
        }
        expect(given).toEqual(pages.flat());
        expect(await items.next()).toEqual({ done: true, value: undefined });
      },
    ),
  );
});

it('fails once, where the walk does, and has ended then', async () => {
  const items = new PageItems(walk([[1]], new Error('lost')));
  const asked = [items.next(), items.next(), items.next()];
  expect(await Promise.allSettled(asked)).toMatchObject([
    { status: 'fulfilled', value: { done: false, value: 1 } },
    { status: 'rejected', reason: new Error('lost') },
    { status: 'fulfilled', value: { done: true } },
  ]);
});

it('ends the walk when the caller leaves', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<WalkedPage<number>, void> {
    try {
      while (true) yield* walk([[1, 2]]);
    } finally {
      ended = true;
    }
  }
  const seen: number[] = [];
  for await (const item of new PageItems(endless())) {
    seen.push(item);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([1, 2, 1]);
  expect(ended).toBe(true);
});
