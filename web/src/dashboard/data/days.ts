/** A calendar day, `2026-11-21`; sorts as a string. */
export type Day = string;

export type Interval = "day" | "week" | "month";

/** From the first day to the last, both included. */
export interface Days {
  from: Day;
  to: Day;
}

const MS = 86_400_000;

const at = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayAt = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

/** Whether a string is a valid calendar day. */
export const isDay = (text: string): boolean =>
  /^(19|20|21)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(at(text)) && dayAt(at(text)) === text;

export const addDays = (day: Day, n: number): Day => dayAt(at(day) + n * MS);

/** The number of days, the first and the last included. */
export const lengthOf = ({ from, to }: Days): number => Math.round((at(to) - at(from)) / MS) + 1;

/** The same day of another month, or its last day if it is shorter. */
export function addMonths(day: Day, n: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + n, 0)).getUTCDate();
  return dayAt(Date.UTC(year, month - 1 + n, Math.min(date, last)));
}

export const monthOf = (day: Day): Day => `${day.slice(0, 8)}01`;

/** The first day of the bucket that contains a day; weeks start on Monday. */
function bucketOf(day: Day, interval: Interval): Day {
  if (interval === "day") return day;
  if (interval === "month") return monthOf(day);
  return addDays(day, -((new Date(at(day)).getUTCDay() + 6) % 7));
}

/** The buckets of a range of days, each cut to the range, by their first day. */
export function bucketsOf({ from, to }: Days, interval: Interval): (Days & { bucket: Day })[] {
  const buckets: (Days & { bucket: Day })[] = [];
  for (let bucket = bucketOf(from, interval); bucket <= to; ) {
    const next = interval === "month" ? addMonths(bucket, 1) : addDays(bucket, interval === "week" ? 7 : 1);
    const last = addDays(next, -1);
    buckets.push({ bucket, from: bucket < from ? from : bucket, to: last > to ? to : last });
    bucket = next;
  }
  return buckets;
}
