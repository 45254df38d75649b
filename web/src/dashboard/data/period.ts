import { addDays, addMonths, type Day, type Days, type Interval, isDay, lengthOf, monthOf } from "./days.ts";

/** The periods to choose from; the first is the default. */
export const PERIODS = ["30", "today", "7", "90", "365", "this_month", "last_month", "custom"] as const;

export type PeriodName = (typeof PERIODS)[number];

export interface Period extends Days {
  name: PeriodName;
  /** The days to compare with. */
  before: Days;
}

/** The longest period: twenty years. */
const LONGEST = 7_305;

const back = (to: Day, days: number): Days => ({ from: addDays(to, 1 - days), to });

/** The days of a period on `today`. Invalid or too many custom days give the default period. */
export function periodOf(name: PeriodName, today: Day, custom: Days): Period {
  const month = monthOf(today);
  if (name === "this_month") {
    const before = { from: addMonths(month, -1), to: addMonths(today, -1) };
    return { name, from: month, to: today, before };
  }
  if (name === "last_month") {
    const from = addMonths(month, -1);
    const before = { from: addMonths(month, -2), to: addDays(from, -1) };
    return { name, from, to: addDays(month, -1), before };
  }
  if (name === "custom") {
    const isGood = isDay(custom.from) && isDay(custom.to) && custom.from <= custom.to;
    if (!isGood || lengthOf(custom) > LONGEST) return periodOf("30", today, custom);
    return { ...custom, name, before: back(addDays(custom.from, -1), lengthOf(custom)) };
  }
  const days = back(today, name === "today" ? 1 : Number(name));
  return { ...days, name, before: back(addDays(days.from, -1), lengthOf(days)) };
}

/** The intervals that suit the length of a period, the default first: neither a few bars nor hundreds. */
export function intervalsOf(days: Days): readonly [Interval, ...Interval[]] {
  const length = lengthOf(days);
  if (length <= 14) return ["day"];
  if (length <= 92) return length <= 62 ? ["day", "week"] : ["day", "week", "month"];
  return length <= 400 ? ["week", "day", "month"] : length <= 1_500 ? ["month", "week"] : ["month"];
}
