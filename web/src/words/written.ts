const STEPS = [
  [60, "second", 1],
  [3_600, "minute", 60],
  [86_400, "hour", 3_600],
  [2_592_000, "day", 86_400],
  [31_536_000, "month", 2_592_000],
  [Number.POSITIVE_INFINITY, "year", 31_536_000],
] as const;

/** How values are written: in the person's language, times in the project's time zone. */
export interface Format {
  number(value: number): string;
  /** 0.25 as 25 %. */
  percent(part: number): string;
  /** A change in whole percent, without its sign; ">999 %" if it is larger: the figure before was next to nothing. */
  change(part: number): string;
  /** Without a currency (ISO 4217), the project's; without that, a plain number. */
  money(value: number, currency?: string | null): string;
  /** An amount as in totals: without cents from 1,000 on. */
  sum(value: number, currency?: string | null): string;
  /** A calendar day (`2026-11-21`, or the day of a timestamp). */
  day(value: string): string;
  /** A day with hours and minutes. */
  moment(value: string): string;
  time(value: string): string;
  /** `3 hours ago`. Show the exact time next to it, for example in a title. */
  ago(value: string, now?: number): string;
  /** An E.164 number in readable groups. */
  phone(e164: string): string;
  list(parts: readonly string[]): string;
}

/** Returns the formats for a language (BCP 47), a time zone (IANA, or the system's) and the currency of amounts that name none. */
export function formatIn(locale: string, timeZone: string | undefined, ofProject: string | null): Format {
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone });
  const calendarDay = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const list = new Intl.ListFormat(locale);
  const money = (value: number, currency: string | null | undefined, more: Intl.NumberFormatOptions = {}) => {
    const style = currency ?? ofProject;
    if (style === null || style === "") return new Intl.NumberFormat(locale, more).format(value);
    try {
      return new Intl.NumberFormat(locale, { style: "currency", currency: style, ...more }).format(value);
    } catch {
      return `${new Intl.NumberFormat(locale, more).format(value)}\u00a0${style}`;
    }
  };
  return {
    number: (value) => number.format(value),
    percent: (part) => percent.format(part),
    change: (part) => changeOf(part, percent),
    money: (value, currency) => money(value, currency),
    sum: (value, currency) =>
      money(value, currency, Math.abs(value) < 1_000 ? {} : { maximumFractionDigits: 0 }),
    day: (value) => (value.length === 10 ? calendarDay : day).format(new Date(value)),
    moment: (value) => moment.format(new Date(value)),
    time: (value) => time.format(new Date(value)),
    ago(value, now = Date.now()) {
      const seconds = (new Date(value).getTime() - now) / 1_000;
      const [, unit, size] = STEPS.find(([below]) => Math.abs(seconds) < below) ?? STEPS[5];
      return relative.format(Math.trunc(seconds / size), unit);
    },
    phone: phoneIn,
    list: (parts) => list.format(parts),
  };
}

/** The largest change that is written exactly. */
const MOST_CHANGE = 9.99;

function changeOf(part: number, percent: Intl.NumberFormat): string {
  const size = Math.round(Math.abs(part) * 100) / 100;
  return size > MOST_CHANGE ? `>${percent.format(MOST_CHANGE)}` : percent.format(size);
}

/** Groups the digits of numbers from Brazil and North America; others stay in E.164. */
function phoneIn(e164: string): string {
  const brazil = /^\+55(\d\d)(\d{4,5})(\d{4})$/.exec(e164);
  if (brazil !== null) return `+55 ${brazil[1]} ${brazil[2]}-${brazil[3]}`;
  const north = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164);
  return north === null ? e164 : `+1 ${north[1]} ${north[2]}-${north[3]}`;
}
