import { useMemo } from "react";
import { type Locale, useLocale } from "../../words/use-words.ts";
import type { Day, Days, Interval } from "./days.ts";

/** The names of days, ranges and durations. */
export interface DayNames {
  /** `12 Nov` or `Nov 12`; with the year if the days shown span more than one. */
  bucket(day: Day, interval: Interval, within: Days): string;
  /** `21 Oct – 20 Nov 2026`. */
  range(days: Days): string;
  /** `42 min`, `3.5 hr`, `2 days`. */
  duration(seconds: number): string;
}

const at = (day: Day): Date => new Date(`${day}T00:00:00Z`);

const UNITS = [
  ["second", 1, 60],
  ["minute", 60, 3_600],
  ["hour", 3_600, 172_800],
  ["day", 86_400, Number.POSITIVE_INFINITY],
] as const;

function namesIn(locale: Locale): DayNames {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  const short = format({ day: "numeric", month: "short" });
  const long = format({ day: "numeric", month: "short", year: "numeric" });
  const month = format({ month: "short", year: "numeric" });
  return {
    bucket(day, interval, { from, to }) {
      if (interval === "month") return month.format(at(day));
      return (from.slice(0, 4) === to.slice(0, 4) ? short : long).format(at(day));
    },
    range: ({ from, to }) => (from === to ? long.format(at(from)) : long.formatRange(at(from), at(to))),
    duration(seconds) {
      const [unit, size] = UNITS.find(([, , below]) => seconds < below) ?? UNITS[3];
      const amount = seconds / size;
      const maximumFractionDigits = amount < 10 && unit !== "second" ? 1 : 0;
      return new Intl.NumberFormat(locale, {
        ...{ style: "unit", unit, maximumFractionDigits },
        unitDisplay: unit === "day" ? "long" : "short",
      }).format(amount);
    },
  };
}

export function useDayNames(): DayNames {
  const locale = useLocale();
  return useMemo(() => namesIn(locale), [locale]);
}
