import type { AnyFilter, Condition } from "./random-filter.ts";

type Lead = Record<string, unknown>;
const ZONE = "America/Sao_Paulo";
const DAY = 86_400_000;
const HOUR = 3_600_000;

const fold = (text: unknown) => String(text).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const lower = (text: unknown) => String(text).toLowerCase();

/** Whether a lead matches, said as plainly as can be: what the service must agree with. */
export function matches(filter: AnyFilter, lead: Lead, now: number): boolean {
  if ("and" in filter) return filter.and.every((one) => matches(one, lead, now));
  if ("or" in filter) return filter.or.some((one) => matches(one, lead, now));
  if ("not" in filter) return !matches(filter.not, lead, now);
  return test(filter, lead, now);
}

const NEGATIVE: Record<string, string> = {
  neq: "eq",
  not_in: "in",
  not_contains: "contains",
  has_none: "has_any",
  not_in_last: "in_last",
  is_not_empty: "is_empty",
};

function test({ field, op, value }: Condition, lead: Lead, now: number): boolean {
  const positive = NEGATIVE[op];
  if (positive !== undefined) return !test({ field, op: positive, value }, lead, now);
  const own = field.startsWith("custom.") ? (lead.custom as Lead)[field.slice(7)] : lead[field];
  const empty = own === null || own === undefined || own === "" || (Array.isArray(own) && own.length === 0);
  if (op === "is_empty") return empty;
  const list = value as unknown[];
  if (Array.isArray(own)) {
    return op === "has_any" ? list.some((one) => own.includes(one)) : list.every((one) => own.includes(one));
  }
  if (own === null || own === undefined) return false;
  if (typeof own === "number") return numberTest(own, op, value);
  if (typeof own === "boolean") return own === value;
  if (/created_at|first_touch|since|\.at$/.test(field)) return dateTest(String(own), op, value, now);
  return textTest(field, String(own), op, value, lead);
}

function numberTest(own: number, op: string, value: unknown): boolean {
  if (op === "in") return (value as number[]).includes(own);
  if (op === "between") {
    const [low, high] = value as [number, number];
    return own >= low && own <= high;
  }
  const other = value as number;
  if (op === "eq") return own === other;
  if (op === "gt") return own > other;
  if (op === "gte") return own >= other;
  return op === "lt" ? own < other : own <= other;
}

function textTest(field: string, own: string, op: string, value: unknown, lead: Lead): boolean {
  const texts = field === "phone" ? [own, String(lead.phone_e164)] : [own];
  if (op === "contains") return texts.some((text) => fold(text).includes(fold(value)));
  if (op === "starts_with") return texts.some((text) => fold(text).startsWith(fold(value)));
  if (op === "ends_with") return texts.some((text) => fold(text).endsWith(fold(value)));
  if (op === "domain_in") {
    return (value as string[]).some(
      (domain) => lower(own).split("@").at(-1) === lower(domain).replace("@", ""),
    );
  }
  const wanted = op === "eq" ? [value] : (value as unknown[]);
  if (field === "phone") return wanted.includes(lead.phone_e164);
  const exact = ["status", "external_id", "custom.size"].includes(field);
  const same = exact ? String : field === "email" || field === "custom.mail" ? lower : fold;
  return wanted.some((one) => same(one) === same(own));
}

/** Midnight of a day in São Paulo, which has kept UTC-3 since 2019. */
const midnight = (day: string) => Date.parse(`${day}T00:00:00-03:00`);
const isDay = (text: string) => text.length === 10;
const startOf = (text: string) => (isDay(text) ? midnight(text) : Date.parse(text));
const endOf = (text: string) => (isDay(text) ? midnight(text) + DAY : Date.parse(text) + 1);

function dateTest(own: string, op: string, value: unknown, now: number): boolean {
  const at = startOf(own);
  if (op === "between") {
    const [low, high] = value as [string, string];
    return at >= startOf(low) && at < endOf(high);
  }
  if (op === "in_period") {
    const [from, until] = periodOf(String(value), now);
    return at >= from && at < until;
  }
  if (typeof value === "object" && value !== null) {
    const { n, unit } = value as { n: number; unit: string };
    const span = n * (unit === "hour" ? HOUR : unit === "day" ? DAY : 7 * DAY);
    if (op === "in_last") return at > now - span && at <= now;
    return op === "in_next" ? at > now && at <= now + span : at < now - span;
  }
  const text = String(value);
  if (op === "before") return at < startOf(text);
  if (op === "after") return at >= endOf(text);
  if (op === "on_or_before") return at < endOf(text);
  return at >= startOf(text) && (op === "on_or_after" || at < endOf(text));
}

function periodOf(name: string, now: number): [number, number] {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(now);
  const [year = 0, month = 0, day = 0] = today.split("-").map(Number);
  const at = (y: number, m: number, d: number) =>
    midnight(new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10));
  const week = day - ((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7);
  const quarter = Math.floor((month - 1) / 3) * 3 + 1;
  const periods: Record<string, [number, number]> = {
    today: [at(year, month, day), at(year, month, day + 1)],
    yesterday: [at(year, month, day - 1), at(year, month, day)],
    this_week: [at(year, month, week), at(year, month, week + 7)],
    last_month: [at(year, month - 1, 1), at(year, month, 1)],
    this_quarter: [at(year, quarter, 1), at(year, quarter + 3, 1)],
    last_year: [at(year - 1, 1, 1), at(year, 1, 1)],
    next_year: [at(year + 1, 1, 1), at(year + 2, 1, 1)],
  };
  return periods[name] ?? [0, 0];
}
