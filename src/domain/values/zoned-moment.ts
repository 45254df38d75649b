/** The midnight of a day in UTC; month 0 is January. `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
export const utcDay = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day);

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
  const offset = millisecondsOf(parts.find(({ type }) => type === "timeZoneName")?.value ?? "");
  if (OFFSETS.size > 50_000) OFFSETS.clear();
  OFFSETS.set(key, offset);
  return offset;
}

/** `GMT-03:00`, `GMT-03:06:28` of former times, or `GMT` alone. */
function millisecondsOf(offset: string): number {
  const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(offset) ?? [];
  if (sign === undefined) return 0;
  const total = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return total * (sign === "-" ? -1_000 : 1_000);
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timezone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" });
  FORMATS.set(timezone, format);
  return format;
}
