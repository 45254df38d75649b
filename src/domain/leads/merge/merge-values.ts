import type { LeadFieldName } from "../../../contract/lists/lead-fields.ts";
import { CHOSEN, FOLLOWERS, mergedBy } from "../../../contract/lists/merge-rules.ts";
import { WRITABLE } from "../../../contract/lists/written-fields.ts";
import { bad } from "../../values/bad-input.ts";
import { customKey, isCustom } from "../../values/value.ts";
import { unprocessable } from "../write/read-lead.ts";

/** A lead's row as JSON. */
export type LeadRow = Readonly<Record<string, unknown>> & {
  id: string;
  custom: Readonly<Record<string, unknown>>;
};

type Side = "this" | "other";

/** The lead whose value wins if both have one: for all fields, or by field. */
export type Prefer = Side | Readonly<Record<string, Side>> | undefined;

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const [UNITED, EARLIEST, LATEST, EITHER] = [
  mergedBy("united"),
  mergedBy("earliest"),
  mergedBy("latest"),
  mergedBy("either"),
];
/** Lists without rules of their own. */
const PLAIN_LISTS: readonly LeadFieldName[] = UNITED.filter((name) => name !== "emails" && name !== "phones");

/** Fields that callers write and whose value in a merge they cannot choose. */
const DECIDED = new Set<string>(
  [...UNITED, ...EARLIEST, ...LATEST, ...EITHER].filter((name) => WRITABLE.has(name)),
);
const CHOOSABLE: ReadonlySet<string> = new Set<string>(CHOSEN);
const MOST_ITEMS = 100;

/**
 * The changes to a lead when another is merged into it: its values stay, empty fields are filled, lists are united,
 * and the earliest start and the latest activity are kept. An empty value never wins, even if its side is
 * preferred.
 */
export function mergeChanges(winner: LeadRow, loser: LeadRow, prefer: Prefer): FieldChange[] {
  const after: Record<string, unknown> = {};
  for (const first of CHOSEN) {
    const from = sideOf(first, winner[first], loser[first], prefer) === "this" ? winner : loser;
    const neither = isEmpty(from[first]);
    for (const field of [first, ...(FOLLOWERS.get(first) ?? [])])
      after[field] = neither ? (winner[field] ?? loser[field]) : from[field];
  }
  for (const field of EITHER) after[field] = winner[field] === true || loser[field] === true;
  for (const field of EARLIEST) after[field] = edge(winner[field], loser[field], -1);
  for (const field of LATEST) after[field] = edge(winner[field], loser[field], 1);
  for (const field of PLAIN_LISTS)
    after[field] = united(field, [...textsOf(winner[field]), ...textsOf(loser[field])], () => false);
  after.emails = united("emails", [...addresses(winner), ...addresses(loser)], sameText(after.email));
  after.phones = united(
    "phones",
    [...numbers(winner, after), ...numbers(loser, after)],
    sameText(after.phone),
  );
  const changes = Object.keys(after).map((field) => ({
    field,
    from: winner[field] ?? null,
    to: after[field] ?? null,
  }));
  return [...changes, ...customChanges(winner, loser, prefer)].filter(({ from, to }) => !sameJson(from, to));
}

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

function sideOf(field: string, own: unknown, other: unknown, prefer: Prefer): Side {
  const wanted = (typeof prefer === "string" ? prefer : prefer?.[field]) ?? "this";
  const [first, second]: [unknown, Side] = wanted === "this" ? [own, "other"] : [other, "this"];
  return isEmpty(first) ? second : wanted;
}

function customChanges(winner: LeadRow, loser: LeadRow, prefer: Prefer): FieldChange[] {
  const keys = new Set([...Object.keys(winner.custom), ...Object.keys(loser.custom)]);
  return [...keys].sort().map((key) => {
    const field = `custom.${key}`;
    const [own, other] = [winner.custom[key], loser.custom[key]];
    return {
      field,
      from: own ?? null,
      to: (sideOf(field, own, other, prefer) === "this" ? own : other) ?? null,
    };
  });
}

/** Compares ISO timestamps as dates, because their number of digits varies. */
function edge(own: unknown, other: unknown, sign: 1 | -1): unknown {
  if (typeof own !== "string" || typeof other !== "string") return own ?? other;
  return (Date.parse(other) - Date.parse(own)) * sign > 0 ? other : own;
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

const addresses = ({ email, emails }: LeadRow): string[] => [
  ...(isEmpty(email) ? [] : [String(email)]),
  ...textsOf(emails),
];

/** All numbers of a lead, without its main one if the merged lead keeps the same number in another spelling. */
function numbers({ phone, phone_e164: e164, phones }: LeadRow, after: Record<string, unknown>): string[] {
  const kept = isEmpty(phone) || (!isEmpty(e164) && e164 === after.phone_e164);
  return [...(kept ? [] : [String(phone)]), ...textsOf(phones)];
}

const sameText =
  (main: unknown) =>
  (text: string): boolean =>
    typeof main === "string" && text.toLowerCase() === main.toLowerCase();

function united(field: LeadFieldName, texts: readonly string[], isMain: (text: string) => boolean): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = PLAIN_LISTS.includes(field) ? text : text.toLowerCase();
    if (!isMain(text) && !byKey.has(key)) byKey.set(key, text);
  }
  if (byKey.size > MOST_ITEMS) {
    const message = `would have more than ${MOST_ITEMS} entries together; remove some first`;
    throw unprocessable([{ path: `$.${field}`, code: "too_many", message }]);
  }
  return [...byKey.values()];
}

/** Refuses a preference for a field that cannot be chosen; `custom` are the keys of the custom fields. */
export function checkPrefer(prefer: Prefer, custom: ReadonlySet<string>): void {
  if (typeof prefer !== "object") return;
  for (const field of Object.keys(prefer)) {
    const path = `$.prefer.${field.slice(0, 60).toWellFormed()}`;
    if (DECIDED.has(field)) bad(path, "united", "combines the values of both leads and cannot be chosen");
    const leader = [...FOLLOWERS].find(([, others]) => others.some((each) => each === field))?.[0];
    if (leader !== undefined) bad(path, "follows", `follows ${leader}; choose that field instead`);
    if (!CHOOSABLE.has(field) && !(isCustom(field) && custom.has(customKey(field))))
      bad(path, "unknown_field", "is not a field whose value can be chosen");
  }
}
