import { bad } from "../../values/bad-input.ts";
import { missingDay } from "../../values/cell-dates.ts";
import { pairOf } from "../../values/read-list.ts";
import type { Edge, Point, Range } from "../tree/filter.ts";
import { readPeriod, readSpan } from "./relative-moment.ts";

type Stated = Extract<Point, { kind: "instant" | "day" }>;

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/;
const FORM = "must be a date (2026-03-31) or a timestamp with its offset (2026-03-31T14:30:00+00:00)";

/** Reads the operator and value of a date condition as a range of time. */
export function readMomentRange(op: string, value: unknown, path: string): Range<Point> {
  switch (op) {
    case "in_last":
      return {
        from: { at: readSpan(value, -1, path), inclusive: false },
        until: { at: NOW, inclusive: true },
      };
    case "in_next":
      return {
        from: { at: NOW, inclusive: false },
        until: { at: readSpan(value, 1, path), inclusive: true },
      };
    case "older_than":
      return { until: { at: readSpan(value, -1, path), inclusive: false } };
    case "in_period":
      return readPeriod(value, path);
    case "between": {
      const [first, last] = pairOf(value, path, stated);
      return { from: from(first), until: through(last) };
    }
    case "before":
      return { until: { at: stated(value, path), inclusive: false } };
    case "after":
      return { from: past(stated(value, path)) };
    case "on_or_before":
      return { until: through(stated(value, path)) };
    case "on_or_after":
      return { from: from(stated(value, path)) };
    default: {
      const point = stated(value, path);
      return { from: from(point), until: through(point) };
    }
  }
}

const NOW: Point = { kind: "now", n: 0, unit: "minute" };

const from = (at: Stated): Edge<Point> => ({ at, inclusive: true });
const dayAfter = (at: Stated): Point => (at.kind === "day" ? { ...at, plus: 1 } : at);
/** Includes the point itself: a day to its last instant. */
const through = (at: Stated): Edge<Point> => ({ at: dayAfter(at), inclusive: at.kind === "instant" });
const past = (at: Stated): Edge<Point> => ({ at: dayAfter(at), inclusive: at.kind === "day" });

function stated(value: unknown, path: string): Stated {
  if (typeof value !== "string") bad(path, "bad_date", FORM);
  if (isDay(value)) return { kind: "day", day: value, plus: 0 };
  const [, day = ""] = INSTANT.exec(value) ?? [];
  if (!isDay(day)) bad(path, "bad_date", missingDay(value, "dmy") ?? FORM);
  if (new Date(value).getUTCFullYear() > 9_999)
    bad(path, "bad_date", "must not be after the year 9999 in UTC");
  return { kind: "instant", iso: value };
}

/** Whether a value is a day or a timestamp with offset. */
export const isMoment = (value: unknown): boolean =>
  typeof value === "string" && isDay(INSTANT.exec(value)?.[1] ?? value);

function isDay(text: string): boolean {
  const [, year = "0000", month, day] = DAY.exec(text) ?? [];
  if (year === "0000") return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}
