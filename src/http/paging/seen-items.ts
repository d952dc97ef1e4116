/** Which items a walk has met, by their `uuid` or `id`. Items without one can only be compared a page at a time. */
export class SeenItems<Item> {
  /** Keys that have only risen or only fallen so far, as those of most lists do: nothing has to be looked up in them. */
  #run: number[] = [];
  /** All keys, from the first one on that did neither. */
  #keys: Set<unknown> | undefined;
  #lastPage: string | undefined;

  /** Remembers the items, and returns those that are new. */
  add(items: readonly Item[]): readonly Item[] {
    const unseen: Item[] = [];
    for (const item of items) {
      const key = keyOf(item);
      if (key === undefined) {
        this.#lastPage = JSON.stringify(items);
        return items;
      }
      if (this.#add(key)) unseen.push(item);
    }
    return unseen;
  }

  /** Whether every one of the items was met before. */
  hasAll(items: readonly Item[]): boolean {
    for (const item of items) {
      const key = keyOf(item);
      if (key === undefined) return this.#lastPage === JSON.stringify(items);
      if (this.#continues(key) || !this.#all().has(key)) return false;
    }
    return true;
  }

  #add(key: unknown): boolean {
    if (this.#continues(key)) {
      this.#run.push(key);
      return true;
    }
    const keys = this.#all();
    const known = keys.size;
    return keys.add(key).size > known;
  }

  #continues(key: unknown): key is number {
    if (this.#keys !== undefined || typeof key !== 'number') return false;
    const first = this.#run[0];
    const second = this.#run[1];
    const last = this.#run.at(-1);
    if (first === undefined || last === undefined) return true;
    if (second === undefined) return key !== last;
    return second > first ? key > last : key < last;
  }

  #all(): Set<unknown> {
    if (this.#keys === undefined) {
      this.#keys = new Set(this.#run);
      this.#run = [];
    }
    return this.#keys;
  }
}

function keyOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return undefined;
  if ('uuid' in item) return item.uuid ?? undefined;
  return 'id' in item ? (item.id ?? undefined) : undefined;
}
