import type { Listing, Slice } from '../service/store.ts';

/** Records of one rule or metric, newest first; of two of the same second the later one is the newer. */
export class Timeline<Item> {
  readonly #oldestFirst: Item[] = [];
  readonly #time: (item: Item) => string;

  constructor(time: (item: Item) => string) {
    this.#time = time;
  }

  add(item: Item): void {
    const items = this.#oldestFirst;
    let at = items.length;
    // Only a clock that was set back makes this more than a push.
    for (let before = items[at - 1]; before !== undefined && this.#time(before) > this.#time(item);) {
      at -= 1;
      before = items[at - 1];
    }
    items.splice(at, 0, item);
  }

  /** Puts an item in the place of the one that it is a later state of. */
  replace(isFormer: (item: Item) => boolean, item: Item): void {
    const at = this.#oldestFirst.findIndex(isFormer);
    if (at >= 0) this.#oldestFirst[at] = item;
  }

  get newest(): Item | undefined {
    return this.#oldestFirst.at(-1);
  }

  get all(): readonly Item[] {
    return this.#oldestFirst;
  }

  list({ limit, offset }: Slice): Listing<Item> {
    const total = this.#oldestFirst.length;
    const end = Math.max(0, total - offset);
    return { items: this.#oldestFirst.slice(Math.max(0, end - limit), end).toReversed(), total };
  }
}
