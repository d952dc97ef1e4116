/** Times, oldest first. */
export class TimestampQueue {
  readonly #times: number[] = [];

  get size(): number {
    return this.#times.length;
  }

  /** Returns the time at a position; `undefined` beyond the last. */
  at(index: number): number | undefined {
    return this.#times[index];
  }

  add(time: number): void {
    this.#times.push(time);
  }

  replace(index: number, time: number): void {
    this.#times[index] = time;
  }

  remove(index: number): void {
    this.#times.splice(index, 1);
  }

  /** Removes the times up to and including `time`. */
  forgetUntil(time: number): void {
    while ((this.#times[0] ?? Infinity) <= time) this.#times.shift();
  }
}
