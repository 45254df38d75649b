import { Type } from "typebox";
import { PERIODS } from "../../../../contract/lists/time.ts";
import type { Fault } from "../../../../core/refusal.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { readProjectCard } from "../../../../domain/projects/read-project-card.ts";
import type { Call } from "../../protocol/registry.ts";

/** The periods of the past and the present that tools take instead of two dates, besides `last_<n>_days`. */
const PERIOD_WORDS: readonly string[] = PERIODS.filter(
  (period) => period !== "tomorrow" && !period.startsWith("next_"),
);
const LAST_DAYS = /^last_([1-9]\d{0,2})_days$/;

/** The arguments that name a span of days. */
export const PERIOD = {
  period: Type.Optional(
    Type.String({
      description: "today, this_week, last_quarter etc.; last_<n>_days with today.",
    }),
  ),
  from: Type.Optional(Type.String({ maxLength: 40, description: "Or a date." })),
  to: Type.Optional(Type.String({ maxLength: 40, description: "Before this date." })),
};

/** Returns what is wrong with a period. */
export function periodFaults({ period, from, to }: { period?: string; from?: string; to?: string }): Fault[] {
  if (period === undefined) return [];
  if (from !== undefined || to !== undefined)
    return [{ path: "$.period", code: "unexpected", message: "is allowed only without from and to" }];
  if (PERIOD_WORDS.includes(period) || LAST_DAYS.test(period)) return [];
  const message = `must be one of ${PERIOD_WORDS.join(", ")}, or last_<n>_days, such as last_14_days; or use from and to`;
  return [{ path: "$.period", code: "unknown_period", message }];
}

/** Days from the first to before the last, YYYY-MM-DD, in the project's time zone. */
export interface Span {
  from: string;
  to: string;
}

/** Returns the days of a period, by the date in the project's time zone. */
export async function spanOf({ service, caller }: Call, period: string): Promise<Span> {
  const { today } = await perform(service, readProjectCard, caller, {});
  return daysOf(period, today);
}

/** Returns the days of a period that is named as of `today`; weeks start on Monday. */
export function daysOf(period: string, today: string): Span {
  const [, days] = LAST_DAYS.exec(period) ?? [];
  if (days !== undefined) return { from: plusDays(today, 1 - Number(days)), to: plusDays(today, 1) };
  if (period === "today") return { from: today, to: plusDays(today, 1) };
  if (period === "yesterday") return { from: plusDays(today, -1), to: today };
  const [which = "", unit = ""] = period.split("_");
  const start = startOf(unit, today);
  return which === "this"
    ? { from: start, to: shifted(unit, start, 1) }
    : { from: shifted(unit, start, -1), to: start };
}

/** Returns the span of the same kind before this one: the month before a month, as many days before some days. */
export function spanBefore({ from, to }: Span): Span {
  for (const unit of ["year", "quarter", "month"]) {
    if (startOf(unit, from) === from && shifted(unit, from, 1) === to)
      return { from: shifted(unit, from, -1), to: from };
  }
  return { from: plusDays(from, -daysBetween(from, to)), to: from };
}

const DAY_MS = 86_400_000;
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Returns a day, YYYY-MM-DD, so many days later. */
export const plusDays = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(day) + days * DAY_MS));

/** The number of days from one day to before another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

function startOf(unit: string, day: string): string {
  const date = new Date(day);
  if (unit === "week") return plusDays(day, -((date.getUTCDay() + 6) % 7));
  const month =
    unit === "year" ? 0 : unit === "quarter" ? 3 * Math.floor(date.getUTCMonth() / 3) : date.getUTCMonth();
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), month, 1)));
}

function shifted(unit: string, start: string, by: number): string {
  if (unit === "week") return plusDays(start, 7 * by);
  const months = { month: 1, quarter: 3, year: 12 }[unit] ?? 1;
  const date = new Date(start);
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months * by, 1)));
}
