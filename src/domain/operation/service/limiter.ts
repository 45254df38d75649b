import type { Limit, LimitName } from "../../../core/limit.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";

/** A turn that is asked for: of which limit, and out of whose bucket. */
export interface Ask {
  name: LimitName;
  limit: Limit;
  subject: string;
}

/** How a bucket stands after a turn was taken or refused. */
export interface Standing {
  taken: boolean;
  /** Microseconds until the bucket is full again. */
  left: number;
  /** What was applied, which is less than what was asked where a store had to be replaced. */
  limit: Limit;
}

/**
 * Counts turns in buckets (GCRA), each in one atomic step in one place. A bucket is one number: when it will be full
 * again. A turn moves it on by `each`; it is refused where that would be later than an empty bucket's.
 */
export interface Limiter {
  take(ask: Ask): Promise<Standing>;
  /** The turn as a statement that can go along with other work, where turns are counted in the same database. */
  along?: {
    statement(ask: Ask, pass: string): Statement;
    standing(ask: Ask, row: Record<string, unknown> | undefined): Standing;
  };
  close(): void;
}

export const bucketOf = ({ name, subject }: Ask): string => `${name} ${subject}`;

/** What an empty bucket needs to be full, in microseconds. */
export const capacityOf = ({ each, burst }: Limit): number => each * burst;

/** How many turns may be taken at once now. */
const remainingOf = ({ left, limit }: Standing): number =>
  Math.max(0, Math.floor((capacityOf(limit) - left) / limit.each));

/** Whole seconds until one more may; the two milliseconds are for timers that wake too early. */
export function secondsToNext(standing: Standing): number {
  const { left, limit } = standing;
  const micros = left + (remainingOf(standing) + 1) * limit.each - capacityOf(limit);
  return Math.max(0, Math.ceil((micros + 2_000) / 1_000_000));
}

/** What a caller is told of a limit: `quota` turns in `window` seconds, how many remain, seconds until one more may. */
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

/** 429: this bucket is empty. */
export function tooMany(standing: Standing): Refusal {
  const retryAfter = secondsToNext(standing);
  const text = `Too many requests. Wait ${retryAfter} s, then try again.`;
  return new Refusal("too_many", "too_many_requests", text, { retryAfter });
}
