// creating a format costs about twenty times as much as using it
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  FORMATS.set(timeZone, format);
  return format;
}

/** The local time in a time zone, in the form of a datetime-local input: `2026-11-21T09:30`. */
export const clockIn = (timeZone: string, moment: string | number): string =>
  formatIn(timeZone).format(new Date(moment)).replace(" ", "T");

/** The calendar day of a timestamp in a time zone: `2026-11-21`. */
export const dayIn = (timeZone: string, moment: string | number): string =>
  clockIn(timeZone, moment).slice(0, 10);

/** The timestamp of a local time in a time zone. A time that the clocks skip is moved past the change. */
export function momentIn(timeZone: string, clock: string): string {
  const wanted = Date.parse(`${clock}Z`);
  const offset = (at: number) => Date.parse(`${clockIn(timeZone, at)}Z`) - Math.floor(at / 60_000) * 60_000;
  const first = wanted - offset(wanted);
  return new Date(wanted - offset(first)).toISOString();
}
