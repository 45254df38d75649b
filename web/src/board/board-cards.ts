import type { InfiniteData } from "@tanstack/react-query";
import type { Filter } from "../../../src/contract/filters/filter.ts";
import type { Lead, LeadPart } from "../../../src/contract/leads/lead.ts";
import type { LeadSearch } from "../../../src/contract/leads/query.ts";
import type { Groups } from "../records/groups.ts";

export const CARD_FIELDS = [
  ...(["id", "display_name", "email", "phone_e164", "company", "value", "currency"] as const),
  ...(["owner_id", "status", "version", "created_at"] as const),
];

/** A lead as the board shows it. */
export type BoardLead = Pick<Lead, (typeof CARD_FIELDS)[number] | "status_since">;

export const isBoardLead = (lead: LeadPart): lead is LeadPart & BoardLead =>
  CARD_FIELDS.every((field) => lead[field] !== undefined);

export const ORDERS = ["newest", "oldest", "value"] as const;
export type Order = (typeof ORDERS)[number];

/** Which leads the board shows, and in which order. */
export interface BoardQuery {
  filter: Filter | undefined;
  search: string;
  order: Order;
}

export interface CardPage {
  leads: BoardLead[];
  next_cursor: string | null;
}

export type Cards = InfiniteData<CardPage, string | null>;

/** The order of a column for the API. */
export const SORTS: Readonly<Record<Order, NonNullable<LeadSearch["sort"]>>> = {
  newest: [{ field: "created_at", dir: "desc" }],
  oldest: [{ field: "created_at", dir: "asc" }],
  value: [
    { field: "value", dir: "desc" },
    { field: "created_at", dir: "desc" },
  ],
};

/** Compares two cards: below 0 if the first one comes first. */
export function compareBoardLeads(one: BoardLead, other: BoardLead, order: Order): number {
  const byTime = Date.parse(other.created_at) - Date.parse(one.created_at);
  if (order === "oldest") return -byTime || (one.id < other.id ? -1 : 1);
  if (order === "value") {
    const [a, b] = [one.value ?? Number.NEGATIVE_INFINITY, other.value ?? Number.NEGATIVE_INFINITY];
    if (a !== b) return b - a;
  }
  return byTime || (one.id < other.id ? -1 : 1);
}

/** Removes a card from a column. */
export const without = (cards: Cards, id: string): Cards => ({
  ...cards,
  pages: cards.pages.map((page) => ({ ...page, leads: page.leads.filter((card) => card.id !== id) })),
});

/**
 * Inserts a card at its position in a column. A card that belongs after the loaded pages appears once they
 * are loaded.
 */
export function withCard(cards: Cards, card: BoardLead, order: Order): Cards {
  const rest = without(cards, card.id);
  let placed = false;
  const pages = rest.pages.map((page, i) => {
    if (placed) return page;
    const at = page.leads.findIndex((each) => compareBoardLeads(card, each, order) < 0);
    const last = i === rest.pages.length - 1 && page.next_cursor === null;
    if (at < 0 && !last) return page;
    placed = true;
    return { ...page, leads: page.leads.toSpliced(at < 0 ? page.leads.length : at, 0, card) };
  });
  return { ...rest, pages };
}

/** The leads of a status: their number and their value by currency (null where the lead and the project have none). */
export interface ColumnTotal {
  count: number;
  sums: ReadonlyMap<string | null, number>;
}

export type ColumnTotals = ReadonlyMap<string, ColumnTotal>;

const NO_TOTAL: ColumnTotal = { count: 0, sums: new Map() };

/** Sums the aggregate by status and currency. */
export function totalsOf({ groups }: Pick<Groups, "groups">): ColumnTotals {
  const totals = new Map<string, ColumnTotal>();
  for (const { key, metrics } of groups) {
    const status = key.status ?? "";
    const { count, sums } = totals.get(status) ?? NO_TOTAL;
    const more = metrics.sum_value === null ? [] : [[key.currency ?? null, metrics.sum_value] as const];
    totals.set(status, { count: count + metrics.count, sums: new Map([...sums, ...more]) });
  }
  return totals;
}

/** The totals after a card moved from one status to another; without a currency, its value is in the project's. */
export function movedTotals(
  totals: ColumnTotals,
  card: BoardLead,
  { from, to, currency: own }: { from: string; to: string; currency: string | null },
): ColumnTotals {
  const currency = card.currency ?? own;
  const changed = new Map(totals);
  for (const [status, sign] of [
    [from, -1],
    [to, 1],
  ] as const) {
    const { count, sums } = changed.get(status) ?? NO_TOTAL;
    const sum = (sums.get(currency) ?? 0) + sign * (card.value ?? 0);
    const next = card.value === null ? sums : new Map([...sums, [currency, sum] as const]);
    changed.set(status, { count: count + sign, sums: next });
  }
  return changed;
}
