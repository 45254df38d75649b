import type { Limit, LimitName } from "../../../core/limit.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";

/** A hit to count: the limit and whose bucket. */
export interface Ask {
  name: LimitName;
  limit: Limit;
  subject: string;
}

/** The state of a bucket after a hit was counted or refused. */
export interface Standing {
  taken: boolean;
  /** Microseconds until the bucket is full again. */
  left: number;
  /** The applied limit, lower than the requested one while a replacement store counts. */
  limit: Limit;
}

/**
 * Counts hits in buckets (GCRA), each in one atomic step. A bucket is one number: when it will be full again. A hit
 * adds `each` to it, and is refused if the result is later than an empty bucket's.
 */
export interface Limiter {
  take(ask: Ask): Promise<Standing>;
  /** The rate check as a statement for another statement batch, if the same database counts. */
  along?:
    | {
        statement(ask: Ask, pass: string): Statement;
        standing(ask: Ask, row: Record<string, unknown> | undefined): Standing;
      }
    | undefined;
  /** Whether the Redis that counts answers; undefined without Redis. */
  readonly answers?: boolean;
  close(): void;
}

export const bucketOf = ({ name, subject }: Ask): string => `${name} ${subject}`;

/** The time that an empty bucket needs to fill up, in microseconds. */
export const capacityOf = ({ each, burst }: Limit): number => each * burst;

/** The same with half the rate and half the burst, because several stores may count the same caller. */
export const halved = ({ limit: { each, burst }, ...ask }: Ask): Ask => ({
  ...ask,
  limit: { each: each * 2, burst: Math.max(1, Math.floor(burst / 2)) },
});

/** How many hits fit now. */
const remainingOf = ({ left, limit }: Standing): number =>
  Math.max(0, Math.floor((capacityOf(limit) - left) / limit.each));

/** Whole seconds until the next hit fits; 2 ms are added because timers may fire early. */
export function secondsToNext(standing: Standing): number {
  const { left, limit } = standing;
  const micros = left + (remainingOf(standing) + 1) * limit.each - capacityOf(limit);
  return Math.max(0, Math.ceil((micros + 2_000) / 1_000_000));
}

/**
 * A limit as reported to callers: `quota` hits in `window` seconds, hits remaining, seconds until the next one
 * fits.
 */
export interface Told {
  quota: number;
  window: number;
  remaining: number;
  next: number;
}

export const toldOf = (standing: Standing): Told => ({
  quota: standing.limit.burst,
  window: Math.ceil(capacityOf(standing.limit) / 1_000_000),
  remaining: remainingOf(standing),
  next: secondsToNext(standing),
});

/** The refusal (429) for an empty bucket. */
export function tooMany(standing: Standing): Refusal {
  const retryAfter = secondsToNext(standing);
  const text = `Too many requests. Wait ${retryAfter} s, then try again.`;
  return new Refusal("too_many", "too_many_requests", text, { retryAfter });
}
