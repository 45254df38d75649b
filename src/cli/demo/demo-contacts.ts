import { readFileSync } from "node:fs";
import type { EventsOfRow } from "../../domain/imports/mapping/row-events.ts";

/** The two files of the demo: the contacts of the campaign, and how their columns become fields. */
const MAPPING = new URL("../../../demo/bank-contacts.json", import.meta.url);

const DAY = 86_400_000;
const OPENS_MS = 9 * 3_600_000;
const OPEN_SECONDS = 8 * 3_600;
/** A call within these days has no outcome yet, unless the contact agreed. */
const OPEN_DAYS = 40;
/** A shorter call was no conversation. */
const BRIEF_SECONDS = 90;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SOURCES: Readonly<Record<string, string>> = { cellular: "Mobile phone", telephone: "Landline" };
const PRODUCTS: Readonly<Record<string, string>> = {
  retired: "Retirement savings",
  student: "Student savings",
  "self-employed": "Business deposit",
  entrepreneur: "Business deposit",
};

/** The shares of waiting times before the first call: up to this many percent wait from and to these minutes. */
const WAITS = [
  [20, 1, 5],
  [50, 5, 60],
  [76, 60, 240],
  [91, 240, 1_440],
  [100, 1_440, 4_320],
] as const;

/** What the demo adds to the contacts. */
export interface Additions {
  /** The day of the last call, such as 2026-11-22. */
  lastCall: string;
  /** The ids of the members who own the leads. */
  owners: readonly string[];
}

/**
 * Returns the file of the campaign with dates that end on `lastCall` and with columns that it lacks: owner, value,
 * campaign, source, and when a contact came in. The same input gives the same file.
 */
export function demoContacts(file: string, { lastCall, owners }: Additions): string {
  const [head = "", ...lines] = file.trimEnd().split("\n");
  const headers = cellsOf(head);
  const at = (name: string) => headers.indexOf(name);
  const [job, balance, contact, seconds] = [at("job"), at("balance"), at("contact"), at("duration")];
  const [calls, previous, agreed] = [at("campaign"), at("previous"), at("y")];
  const rows = lines.map(cellsOf);
  const days = daysOf(rows, at("day"), at("month"));
  const shifted = shiftedDays(days, Date.parse(lastCall));
  const open = Date.parse(lastCall) - OPEN_DAYS * DAY;
  const added = rows.map((row, i) => {
    const chance = chanceOf(i + 1);
    const day = shifted.get(days[i] ?? 0) ?? 0;
    const last = day + OPENS_MS + chance(OPEN_SECONDS) * 1_000;
    const first = last - (Number(row[calls]) - 1) * DAY;
    const cells = [...row];
    if (row[agreed] === "no" && day > open) cells[agreed] = openStatus(Number(row[seconds]), chance(100));
    const more = [
      new Date(last).toISOString(),
      new Date(first - waitOf(chance(100), chance(1_000)) * 60_000).toISOString(),
      owners[ownerOf(chance(100), owners.length)] ?? "",
      depositOf(Number(row[balance]), chance(40)),
      PRODUCTS[row[job] ?? ""] ?? (Number(row[previous]) > 0 ? "Repeat customers" : "Term deposit"),
      SOURCES[row[contact] ?? ""] ?? "Phone",
    ];
    return [...cells, ...more].join(";");
  });
  return [[...headers, ...Object.keys(ADDED)].join(";"), ...added].join("\n");
}

/** The added columns and the fields that they fill. */
const ADDED = {
  last_call_at: "last_activity_at",
  came_in_at: "created_at",
  owner: "owner_id",
  amount: "value",
  product: "campaign",
  channel: "source",
};

/** The mapping of `demoContacts`: that of the plain file, and the added columns. */
export function demoMapping(): unknown {
  const { columns, set, ...plain } = JSON.parse(readFileSync(MAPPING, "utf8"));
  const { source: _, ...fixed } = set;
  return { ...plain, columns: { ...columns, ...ADDED }, set: fixed };
}

/** Returns the calls of a record, one a day until the last one. */
export const demoCalls: EventsOfRow = ({ record }, patch) => {
  const calls = Number(patch.get("custom.calls") ?? 0);
  const last = Date.parse(String(patch.get("last_activity_at")));
  return Array.from({ length: calls }, (_, i) => ({
    type: "call.made",
    title: `Call ${i + 1} of ${calls}`,
    key: `bank-${record}-call-${i + 1}`,
    at: last - (calls - i - 1) * DAY,
    data: JSON.stringify({ number: String(i + 1) }),
  }));
};

/** No cell of this file has a separator or a quotation mark inside. */
const cellsOf = (line: string): string[] => line.replaceAll('"', "").trim().split(";");

/** The days of the records, which have no year: it increases when the month decreases. */
function daysOf(rows: readonly string[][], day: number, month: number): number[] {
  let year = 2008;
  let former = 0;
  return rows.map((row) => {
    const index = MONTHS.indexOf(row[month] ?? "");
    if (index < former) year += 1;
    former = index;
    return Date.UTC(year, index, Number(row[day]));
  });
}

/**
 * Moves days so that the last one becomes `until` and working days stay working days: as many of them lie in between as
 * before. A weekend joins the Friday before it.
 */
export function shiftedDays(days: readonly number[], until: number): ReadonlyMap<number, number> {
  const first = days.reduce((least, day) => Math.min(least, day), Number.POSITIVE_INFINITY);
  const last = days.reduce((most, day) => Math.max(most, day), 0);
  const moved = new Map<number, number>();
  let target = until;
  for (let day = last; day >= first; day -= DAY) {
    moved.set(day, target);
    if (!isWeekend(day))
      do target -= DAY;
      while (isWeekend(target));
  }
  return moved;
}

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day).getUTCDay());

/** Returns a function for a record that gives numbers from 0 to below a bound, the same ones each time. */
function chanceOf(record: number): (bound: number) => number {
  let state = Math.imul(record, 0x9e3779b1) >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const openStatus = (seconds: number, percent: number): string =>
  seconds < BRIEF_SECONDS ? "new" : percent < 45 ? "contacted" : percent < 75 ? "qualified" : "no";

/** Minutes between a contact's arrival and the first call. */
function waitOf(percent: number, part: number): number {
  const [, from, to] = WAITS.find(([below]) => percent < below) ?? WAITS[0];
  return from + Math.round((part / 1_000) * (to - from));
}

/** The first owners have more leads than the others. */
const ownerOf = (percent: number, owners: number): number =>
  Math.min(owners - 1, Math.floor((percent / 100) ** 1.3 * owners));

/** A deposit in steps of 50, larger for those who have more on their account. */
const depositOf = (balance: number, steps: number): string =>
  String(500 + steps * 50 + Math.round((Math.max(0, Math.min(balance, 60_000)) * 0.4) / 50) * 50);
