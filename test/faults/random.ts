/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a whole number from 0 on, below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Returns one of the choices. */
  pick<Choice>(choices: readonly Choice[]): Choice {
    // The index is below the length, and nobody picks from nothing.
    return choices[this.below(choices.length)] as Choice;
  }

  /** Returns true once in so many times. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  /** Returns so many bytes. */
  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
