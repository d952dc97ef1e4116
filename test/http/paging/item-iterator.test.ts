import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { ItemIterator } from '../../../src/http/paging/item-iterator.ts';
import { Page } from '../../../src/http/paging/page.ts';
import type { WalkedPage } from '../../../src/http/paging/page-walk.ts';

async function* walk(
  pages: readonly (readonly number[])[],
  failure?: Error,
): AsyncGenerator<WalkedPage<number>, void> {
  const source = {
    fetchPage: () => Promise.reject(new Error('not asked for')),
    fullSize: 1,
    contradiction: (message: string) => new Error(message),
  };
  for (const newItems of pages) {
    await Promise.resolve();
    const pagination = { total: 0, limit: 0, offset: 0, has_more: false };
    yield { page: new Page({ items: newItems, keys: newItems, pagination }, 0, source), newItems };
  }
  if (failure !== undefined) throw failure;
}

/** What the iterator must not be distinguishable from, except by its speed. */
async function* generate(pages: AsyncGenerator<WalkedPage<number>, void>): AsyncGenerator<number, void> {
  for await (const { newItems } of pages) for (const item of newItems) yield item;
}

type Step = 'next' | 'return' | 'throw';

/** Takes steps without waiting for any of them, and returns how each ended. */
async function take(
  items: AsyncGenerator<number, void>,
  steps: readonly Step[],
): Promise<readonly PromiseSettledResult<IteratorResult<number, void>>[]> {
  return Promise.allSettled(
    steps.map((step) =>
      step === 'next'
        ? items.next()
        : step === 'return'
          ? items.return(undefined)
          : items.throw(new Error('thrown')),
    ),
  );
}

it('does what a generator over the items does, however many are asked for at once', async () => {
  const lists = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 6 });
  const step = fc.oneof(
    { weight: 20, arbitrary: fc.constant<Step>('next') },
    { weight: 1, arbitrary: fc.constant<Step>('return') },
    { weight: 1, arbitrary: fc.constant<Step>('throw') },
  );
  const rounds = fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 12 });
  const failure = fc.option(fc.constant(new Error('lost')), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(lists, rounds, failure, async (pages, turns, error) => {
      const iterator = new ItemIterator(walk(pages, error));
      const generator = generate(walk(pages, error));
      for (const steps of turns) {
        expect(await take(iterator, steps)).toEqual(await take(generator, steps));
      }
    }),
  );
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
  for await (const item of new ItemIterator(endless())) {
    seen.push(item);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([1, 2, 1]);
  expect(ended).toBe(true);
});
