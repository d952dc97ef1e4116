/** Times, oldest first. Adding at the end and removing from the front cost next to nothing. */
export class TimestampQueue {
  #times: number[] = [];
  #first = 0;

  get size(): number {
    return this.#times.length - this.#first;
  }

  /** Returns the time at a position; `undefined` beyond the last. */
  at(index: number): number | undefined {
    return this.#times[this.#first + index];
  }

  add(time: number): void {
    this.#times.push(time);
  }

  replace(index: number, time: number): void {
    this.#times[this.#first + index] = time;
  }

  remove(index: number): void {
    this.#times.splice(this.#first + index, 1);
  }

  shift(): void {
    this.#first++;
    // Cutting off the front is expensive, so it is done for many at once.
    if (this.#first === this.#times.length || this.#first >= 1024) {
      this.#times = this.#times.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Removes the times up to and including `time`. */
  forgetUntil(time: number): void {
    while ((this.at(0) ?? Infinity) <= time) this.shift();
  }
}
