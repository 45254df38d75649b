import { INTERVALS, type Interval } from "../../../../src/contract/lists/time.ts";
import type { Locale, Words } from "../../words/use-words.ts";

/** Returns the interval of a group, such as `month` of `created_at:month`; undefined if it is not by time. */
export function intervalOf(group: unknown): Interval | undefined {
  const [, interval] = String(group).split(":");
  return INTERVALS.find((each) => each === interval);
}

/** More bars than this could not be told apart. */
const MOST = 400;

/** Returns all buckets (`2026-07-01`) from the first to the last one: answers leave out those without leads. */
export function bucketsBetween(first: string, last: string, interval: Interval): string[] {
  const buckets: string[] = [];
  for (let bucket = first; bucket <= last; bucket = next(bucket, interval)) {
    buckets.push(bucket);
    if (buckets.length > MOST) return [];
  }
  return buckets;
}

const MONTHS: Partial<Record<Interval, number>> = { month: 1, quarter: 3, year: 12 };

function next(bucket: string, interval: Interval): string {
  const date = new Date(bucket);
  const months = MONTHS[interval];
  if (months === undefined) date.setUTCDate(date.getUTCDate() + (interval === "week" ? 7 : 1));
  else date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}

/** What grouping by an interval is called. */
export const INTERVAL_WORDS: Words<Readonly<Record<Interval, string>>> = {
  en: { day: "day", week: "week", month: "month", quarter: "quarter", year: "year" },
  "pt-BR": { day: "dia", week: "semana", month: "mês", quarter: "trimestre", year: "ano" },
};

const QUARTER: Record<Locale, string> = { en: "Q", "pt-BR": "T" };

/** Returns what a bucket is called: a day or the first day of a week, a month, a quarter, a year. */
export function bucketName(locale: Locale, tag: string, bucket: string, interval: Interval): string {
  const date = new Date(bucket);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year)) return bucket;
  if (interval === "year") return String(year);
  if (interval === "quarter") return `${QUARTER[locale]}${Math.floor(date.getUTCMonth() / 3) + 1} ${year}`;
  const parts =
    interval === "month"
      ? ({ month: "short", year: "numeric" } as const)
      : ({ day: "numeric", month: "short" } as const);
  return new Intl.DateTimeFormat(tag, { ...parts, timeZone: "UTC" }).format(date);
}
