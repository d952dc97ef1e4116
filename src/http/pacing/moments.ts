/** Moments in time, oldest first: added at the end and taken from the front, both at next to no cost. */
export class Moments {
  #times: number[] = [];
  #first = 0;

  get size(): number {
    return this.#times.length - this.#first;
  }

  /** The moment at a position; `undefined` beyond the last. */
  at(index: number): number | undefined {
    return this.#times[this.#first + index];
  }

  add(time: number): void {
    this.#times.push(time);
  }

  replace(index: number, time: number): void {
    this.#times[this.#first + index] = time;
  }

  shift(): void {
    this.#first++;
    // Cutting off the front is dear, so it is done for many at once.
    if (this.#first === this.#times.length || this.#first >= 1024) {
      this.#times = this.#times.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Takes away what came before a moment, or at it. */
  forgetUntil(time: number): void {
    while ((this.at(0) ?? Infinity) <= time) this.shift();
  }
}
