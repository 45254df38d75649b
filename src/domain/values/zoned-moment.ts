/** Midnight of a day in UTC; month 0 is January. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
export const utcDay = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day);

const FORMATS = new Map<string, Intl.DateTimeFormat>();
const OFFSETS = new Map<string, number>();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** No zone changed its clocks before this. */
const FIRST_CHANGE = Date.UTC(1800, 0);

/**
 * The instant at which a zone's clocks show `shown` (milliseconds as if in UTC). If they show it twice or never,
 * the later one, as in PostgreSQL, which evaluates the filters.
 */
export function zonedMoment(shown: number, timezone: string): number {
  const { meant, near } = momentsOf(shown, timezone);
  return Math.max(...(meant.length > 0 ? meant : near));
}

/** The first instant of a day in a zone, as day_start of migration 0038; `day` is its midnight in UTC. */
export function dayStart(day: number, timezone: string): number {
  const { meant, near } = momentsOf(day, timezone);
  return meant.length > 0 ? Math.min(...meant) : Math.max(...near);
}

/** The instants at which a zone's clocks show `shown`, and those around an hour that they skip. */
function momentsOf(shown: number, timezone: string): { meant: number[]; near: number[] } {
  if (timezone === "UTC") return { meant: [shown], near: [] };
  const near = [shown - DAY, shown + DAY].map((at) => shown - offsetAt(at, timezone));
  return { meant: near.filter((at) => at + offsetAt(at, timezone) === shown), near };
}

/** A zone's offset in milliseconds, cached by the hour because computing it costs more than reading the cell. */
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

/** Parses `GMT-03:00`, `GMT-03:06:28` (historic offsets) or `GMT`. */
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
