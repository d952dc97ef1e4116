import { keyOf } from '../item-key.ts';

/** The items of a page, with what identifies each if that is known already. */
export interface PageItems<Item> {
  readonly items: readonly Item[];
  readonly keys?: readonly unknown[];
}

/** Which items a walk has met, by their `uuid` or `id`. Items without one can only be compared a page at a time. */
export class SeenItems<Item> {
  readonly #keys = new Set<unknown>();
  /** Numbers that the set has yet to take: as long as ids only rise or only fall, as in most lists, it is not needed. */
  readonly #rest: number[] = [];
  #least = Infinity;
  #greatest = -Infinity;
  #lastPage: readonly Item[] = [];

  /** Remembers the items of a page, and returns those that are new. */
  add({ items, keys = items.map(keyOf) }: PageItems<Item>): readonly Item[] {
    this.#lastPage = items;
    if (keys.includes(undefined)) return items;
    return items.filter((_, index) => this.#add(keys[index]));
  }

  /** Whether every item of a page was met before. */
  hasAll({ items, keys = items.map(keyOf) }: PageItems<Item>): boolean {
    if (keys.includes(undefined)) return isSame(items, this.#lastPage);
    return keys.every((key) => !this.#isBeyond(key) && this.#all().has(key));
  }

  /** Remembers a key, and returns whether it is new. */
  #add(key: unknown): boolean {
    if (this.#isBeyond(key)) {
      this.#least = Math.min(this.#least, key);
      this.#greatest = Math.max(this.#greatest, key);
      this.#rest.push(key);
      return true;
    }
    const keys = this.#all();
    const known = keys.size;
    return keys.add(key).size > known;
  }

  /** Whether a key is less or greater than all numbers before it, and new for that reason. */
  #isBeyond(key: unknown): key is number {
    return typeof key === 'number' && (key < this.#least || key > this.#greatest);
  }

  #all(): Set<unknown> {
    for (const key of this.#rest) this.#keys.add(key);
    this.#rest.length = 0;
    return this.#keys;
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
