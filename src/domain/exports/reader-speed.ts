interface Sample {
  at: number;
  taken: number;
}

/**
 * Measures how fast a reader takes what is ready for it, over a sliding window. Time in which nothing was ready does not
 * count: a reader that has taken everything starts a new window, so a slow source is never a slow reader.
 */
export class ReaderSpeed {
  readonly #least: number;
  readonly #windowMs: number;
  #samples: Sample[] = [];

  /** `least` is in bytes per second. */
  constructor(least: number, windowMs: number) {
    this.#least = least;
    this.#windowMs = windowMs;
  }

  /**
   * Adds a sample at `at` milliseconds: the bytes taken since the start, and whether more are ready. Returns whether
   * the reader was slower than the minimum for a whole window.
   */
  isTooSlow(at: number, taken: number, isReady: boolean): boolean {
    if (!isReady) {
      this.#samples = [];
      return false;
    }
    this.#samples.push({ at, taken });
    while (this.#samples[1] !== undefined && at - this.#samples[1].at >= this.#windowMs)
      this.#samples.shift();
    const first = this.#samples[0];
    if (first === undefined || at - first.at < this.#windowMs) return false;
    return taken - first.taken < (this.#least * (at - first.at)) / 1_000;
  }
}
