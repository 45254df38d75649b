import { type Ask, bucketOf, capacityOf, type Limiter, type Standing } from "../service/limiter.ts";

const SWEPT_FROM = 10_000;

/** Buckets in memory, for the embedded database, which has one process. `clock` returns monotonic microseconds. */
export class MemoryLimiter implements Limiter {
  readonly #until = new Map<string, number>();
  readonly #clock: () => number;
  #sweepAt = SWEPT_FROM;

  constructor(clock = () => Math.floor(performance.now() * 1_000)) {
    this.#clock = clock;
  }

  async take(ask: Ask): Promise<Standing> {
    const { limit } = ask;
    const now = this.#clock();
    const bucket = bucketOf(ask);
    const until = Math.max(this.#until.get(bucket) ?? 0, now);
    const next = until + limit.each;
    const taken = next <= now + capacityOf(limit);
    if (taken) this.#until.set(bucket, next);
    if (this.#until.size > this.#sweepAt) this.#sweep(now);
    return { taken, left: (taken ? next : until) - now, limit };
  }

  close(): void {
    this.#until.clear();
  }

  /** Forgets full buckets each time the number of buckets has doubled. */
  #sweep(now: number): void {
    for (const [bucket, until] of this.#until) if (until <= now) this.#until.delete(bucket);
    this.#sweepAt = Math.max(SWEPT_FROM, 2 * this.#until.size);
  }
}
