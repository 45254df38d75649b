import { randomFrom } from "../api/support/random-filter.ts";

/** Random choices that are the same for the same seed. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFrom(seed);
    // Neighbouring seeds start with similar numbers.
    for (let i = 0; i < 8; i += 1) this.#next();
  }

  /** A number from 0 to 1. */
  part(): number {
    return this.#next();
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  isOneIn(count: number): boolean {
    return this.#next() * count < 1;
  }

  of<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.#next() * list.length)];
    if (found === undefined) throw new Error("nothing to choose from");
    return found;
  }
}
