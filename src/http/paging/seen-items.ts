import { keyOf } from '../item-key.ts';

/** The items of a page, with exact keys if JavaScript rounds those in the items. */
export interface PageItems<Item> {
  readonly items: readonly Item[];
  readonly exactKeys?: readonly unknown[] | undefined;
}

/** Which items a walk has met, by their `uuid` or `id`. Items without one can only be compared a page at a time. */
export class SeenItems<Item> {
  readonly #keys = new Set<unknown>();
  #lastPage: readonly Item[] = [];

  /** Remembers the items of a page, and returns those that are new. */
  add({ items, exactKeys }: PageItems<Item>): readonly Item[] {
    this.#lastPage = items;
    const keys = exactKeys ?? items.map(keyOf);
    if (keys.includes(undefined)) return items;
    return items.filter((_, index) => {
      const known = this.#keys.size;
      return this.#keys.add(keys[index]).size > known;
    });
  }

  /** Whether every item of a page was met before. */
  hasAll({ items, exactKeys }: PageItems<Item>): boolean {
    const keys = exactKeys ?? items.map(keyOf);
    if (keys.includes(undefined)) return isSame(items, this.#lastPage);
    return keys.every((key) => this.#keys.has(key));
  }
}

/** Compares two JSON values without recursion, as they may be nested deeper than the stack. */
export function isSame(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    if (Object.is(one, other)) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    const names = Object.keys(one);
    if (names.length !== Object.keys(other).length) return false;
    for (const name of names) pairs.push([Reflect.get(one, name), Reflect.get(other, name)]);
  }
  return true;
}
