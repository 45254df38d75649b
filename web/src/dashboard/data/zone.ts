import { addDays, type Day } from "./days.ts";

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  FORMATS.set(zone, format);
  return format;
}

export function isZone(zone: string): boolean {
  try {
    formatIn(zone);
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

/** The local time in the zone, as if it were UTC. */
function clockAt(ms: number, zone: string): number {
  const parts = new Map(
    formatIn(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/**
 * Returns when a day begins in the zone, as PostgreSQL does: if the clocks skip midnight, when they do so; if they
 * show it twice, the second time.
 */
export function startOf(day: Day, zone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offset = (ms: number) => clockAt(ms, zone) - ms;
  const [before, after] = [midnight - 86_400_000, midnight + 86_400_000].map((ms) => midnight - offset(ms));
  const [one = midnight, other = midnight] = [before, after];
  const start = clockAt(other, zone) === midnight ? other : one;
  return new Date(start).toISOString().replace(/\.\d+Z$/, "+00:00");
}

/** Returns when a day ends in the zone. */
export const endOf = (day: Day, zone: string): string => startOf(addDays(day, 1), zone);
