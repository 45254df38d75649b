import type { Interval, Unit } from "../../../contract/lists/time.ts";
import { bad } from "../../values/bad-input.ts";
import type { Point, Range } from "../tree/filter.ts";

/** A hundred years in each unit, the farthest that a filter may reach. */
const MOST: Record<Unit, number> = {
  minute: 52_560_000,
  hour: 876_000,
  day: 36_500,
  week: 5_200,
  month: 1_200,
  year: 100,
};

const DAYS: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };
const SHIFTS: Record<string, number> = { last: -1, this: 0, next: 1 };

const isUnit = (text: unknown): text is Unit => typeof text === "string" && Object.hasOwn(MOST, text);

/** Reads `{"n": 30, "unit": "day"}` as a point before (-1) or after (1) now. */
export function readSpan(value: unknown, direction: -1 | 1, path: string): Point {
  if (typeof value !== "object" || value === null) bad(path, "type", 'must be {"n": 30, "unit": "day"}');
  const extra = Object.keys(value).find((key) => key !== "n" && key !== "unit");
  if (extra !== undefined)
    bad(`${path}.${extra.slice(0, 60)}`, "unknown_key", "is not a known key; the known keys are n, unit");
  const { n, unit } = value as { n?: unknown; unit?: unknown };
  if (!isUnit(unit)) bad(`${path}.unit`, "unknown_unit", `must be one of ${Object.keys(MOST).join(", ")}`);
  if (typeof n !== "number" || !Number.isInteger(n) || n < 1 || n > MOST[unit]) {
    bad(`${path}.n`, "range", `must be an integer from 1 to ${MOST[unit]} ${unit}s`);
  }
  return { kind: "now", n: n * direction, unit };
}

/** Reads `today`, `this_week`, `last_month` and so on as a range from its start to the start of the next. */
export function readPeriod(value: unknown, path: string): Range<Point> {
  const period = typeof value === "string" ? periodOf(value) : undefined;
  if (period === undefined) {
    const names = "today, yesterday, tomorrow, or this_, last_ or next_ with week, month, quarter or year";
    bad(path, "unknown_period", `must be ${names}`);
  }
  const { unit, shift } = period;
  return {
    from: { at: { kind: "period", unit, shift }, inclusive: true },
    until: { at: { kind: "period", unit, shift: shift + 1 }, inclusive: false },
  };
}

function periodOf(text: string): { unit: Interval; shift: number } | undefined {
  if (Object.hasOwn(DAYS, text)) return { unit: "day", shift: DAYS[text] ?? 0 };
  const [, word = "", unit] = /^(last|this|next)_(week|month|quarter|year)$/.exec(text) ?? [];
  return unit === undefined ? undefined : { unit: unit as Interval, shift: SHIFTS[word] ?? 0 };
}
