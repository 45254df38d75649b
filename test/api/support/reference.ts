import type { AnyFilter, Condition } from "./random-filter.ts";
import { countMatches, eventMatches } from "./reference-event.ts";

export type Lead = Record<string, unknown>;
const ZONE = "America/Sao_Paulo";
const DAY = 86_400_000;
const HOUR = 3_600_000;

const FOLDED = new Map<string, string>();

/** Letters that lose their accent although Unicode does not decompose them; only those of the pools. */
const PLAIN: Readonly<Record<string, string>> = { ı: "i", ł: "l", ß: "ss" };

/** Returns a text without case and accents (docs/decisions/0003-fold.md). */
export function fold(value: unknown): string {
  const text = String(value);
  const known = FOLDED.get(text);
  if (known !== undefined) return known;
  const bare = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const folded = bare.replace(/[ıłß]/g, (letter) => PLAIN[letter] ?? letter);
  if (FOLDED.size < 100_000) FOLDED.set(text, folded);
  return folded;
}

/** Returns a text in lower case. The lower case of `İ` is `i` in PostgreSQL's `C.UTF-8`; JavaScript adds a combining dot. */
export const lower = (text: unknown) => String(text).replaceAll("İ", "i").toLowerCase();

/** A saved view: a filter, and search words. */
export interface View {
  filter: AnyFilter;
  search?: string;
}

/** What is the same for all leads: the time, the project's views and its datasets. */
export interface Around {
  now: number;
  views: ReadonlyMap<string, View>;
  /** The rows of datasets, by key, and whether a row is linked to a lead. */
  datasets?: ReadonlyMap<string, { rows: readonly Lead[]; means: (row: Lead, lead: Lead) => boolean }>;
}

/** Whether a lead matches, implemented as plainly as possible: the reference for the service. */
export function matches(filter: AnyFilter, lead: Lead, around: Around): boolean {
  const inside = (one: AnyFilter) => matches(one, lead, around);
  if ("and" in filter) return filter.and.every(inside);
  if ("or" in filter) return filter.or.some(inside);
  if ("not" in filter) return !inside(filter.not);
  if ("view" in filter) {
    const view = around.views.get(filter.view);
    return view !== undefined && inside(view.filter) && finds(view.search ?? "", lead);
  }
  if ("event" in filter) {
    return eventMatches(filter.event, lead.events as Lead[], {
      where: (one, event) => matches(one, event, around),
      occurred: (condition, event) => test(condition, event, around.now),
    });
  }
  if ("dataset" in filter) {
    const { key, where, count } = filter.dataset;
    const dataset = around.datasets?.get(key);
    const rows = (dataset?.rows ?? []).filter((row) => dataset?.means(row, lead) === true);
    const found = rows.filter((row) => where === undefined || matches(where, row, around));
    return countMatches(count, found.length);
  }
  return test(filter, lead, around.now);
}

const fullName = ({ first_name: first, last_name: last }: Lead): string =>
  `${first ?? ""} ${last ?? ""}`.replace(/^ +| +$/g, "");

/** What a lead is shown and found by: its name if it is not blank, else its first and last name. */
const displayName = (lead: Lead): string | null =>
  /[^ ]/.test(String(lead.name ?? "")) ? String(lead.name) : fullName(lead) || null;

/** Whether names, e-mail, phone or company contain each word of a search. */
export function finds(search: string, lead: Lead): boolean {
  const { name, email, phone, phone_e164: e164, company } = lead;
  const text = fold([name, email, phone, e164, company, fullName(lead)].map((part) => part ?? "").join(" "));
  return search.split(" ").every((word) => text.includes(fold(word)));
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
  const compared = op === "is_empty" ? field : comparedAs(field);
  const own = field.startsWith("data.") ? dataValue(field, op, value, lead) : ownValue(compared, lead);
  const empty = own === null || own === undefined || own === "" || (Array.isArray(own) && own.length === 0);
  if (op === "is_empty") return empty;
  const list = value as unknown[];
  if (Array.isArray(own)) {
    const same = field === "emails" ? lower : String;
    const has = (one: unknown) => own.some((each) => same(each) === same(one));
    return op === "has_any" ? list.some(has) : list.every(has);
  }
  if (own === null || own === undefined) return false;
  if (typeof own === "number") return numberTest(own, op, value);
  if (typeof own === "boolean") return own === value;
  if (/_at$|first_touch|since|\.at$|\.day$/.test(field)) return dateTest(String(own), op, value, now);
  return textTest(field, String(own), op, value, lead);
}

/** The field that conditions and orders compare. */
export const comparedAs = (field: string): string => (field === "name" ? "display_name" : field);

export function ownValue(field: string, lead: Lead): unknown {
  if (field === "display_name") return displayName(lead);
  const [group = "", key] = field.split(".");
  return key === undefined ? lead[field] : (lead[group] as Lead)[key];
}

/** Returns a value of an event's data as the operator needs it: a number, a timestamp, or a string. */
function dataValue(field: string, op: string, value: unknown, { data }: Lead): unknown {
  const own = (data as Lead)[field.slice(5)];
  if (own === null || own === undefined) return null;
  const text = typeof own === "object" ? JSON.stringify(own) : String(own);
  const example = Array.isArray(value) ? value[0] : value;
  if (typeof example === "number" && /^(eq|in|between|[gl]te?)$/.test(op)) {
    if (typeof own === "number") return own;
    return typeof own === "string" && /^-?\d+(\.\d+)?$/.test(own) ? Number(own) : null;
  }
  if (typeof example === "boolean") return text === "true" ? true : text === "false" ? false : null;
  return field === "data.day" && op !== "is_empty" && !/^\d{4}-\d\d-\d\d(T|$)/.test(text) ? null : text;
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

/** Returns midnight of a day in São Paulo, which has used UTC-3 since 2019. */
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
    if (op === "in_last") return at > shifted(now, -n, unit) && at <= now;
    return op === "in_next" ? at > now && at <= shifted(now, n, unit) : at < shifted(now, -n, unit);
  }
  const text = String(value);
  if (op === "before") return at < startOf(text);
  if (op === "after") return at >= endOf(text);
  if (op === "on_or_before") return at < endOf(text);
  return at >= startOf(text) && (op === "on_or_after" || at < endOf(text));
}

/** Returns the time so many units away; a month keeps the day, or uses its last one. */
function shifted(now: number, n: number, unit: string): number {
  if (unit === "hour") return now + n * HOUR;
  if (unit === "day" || unit === "week") return now + n * (unit === "day" ? DAY : 7 * DAY);
  const here = new Date(now - 3 * HOUR);
  const months = here.getUTCFullYear() * 12 + here.getUTCMonth() + n * (unit === "year" ? 12 : 1);
  const lastDay = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  const time = (now - 3 * HOUR) % DAY;
  const day = Math.min(here.getUTCDate(), lastDay);
  return Date.UTC(Math.floor(months / 12), months % 12, day) + time + 3 * HOUR;
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
