const FORMATS = new Map<string, Intl.DateTimeFormat>();
const OFFSETS = new Map<string, number>();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Before it no zone had changed its clocks yet. */
const FIRST_CHANGE = Date.UTC(1800, 0);

/**
 * The moment at which the clocks of a zone show this (milliseconds as if it were UTC). Where they show it twice or
 * never, the later one, as PostgreSQL has it, by which filters ask.
 */
export function zonedMoment(shown: number, timezone: string): number {
  if (timezone === "UTC") return shown;
  const near = [shown - DAY, shown + DAY].map((at) => shown - offsetAt(at, timezone));
  const meant = near.filter((at) => at + offsetAt(at, timezone) === shown);
  return Math.max(...(meant.length > 0 ? meant : near));
}

/** A zone's offset in milliseconds, remembered by the hour: asking for it costs more than reading the cell. */
function offsetAt(at: number, timezone: string): number {
  const hour = Math.max(Math.floor(at / HOUR) * HOUR, FIRST_CHANGE);
  const key = `${timezone} ${hour}`;
  const known = OFFSETS.get(key);
  if (known !== undefined) return known;
  const parts = formatOf(timezone).formatToParts(hour);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  if (OFFSETS.size > 50_000) OFFSETS.clear();
  OFFSETS.set(key, shown - hour);
  return shown - hour;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timezone);
  if (known !== undefined) return known;
  const numeric = "numeric" as const;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  FORMATS.set(timezone, format);
  return format;
}
