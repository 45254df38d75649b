import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type BoardLead,
  type Cards,
  compareBoardLeads,
  movedTotals,
  ORDERS,
  totalsOf,
  withCard,
  without,
} from "../../../web/src/board/board-cards.ts";

const card = (id: string, created: string, value: number | null = null): BoardLead => ({
  ...{ id, display_name: id, email: null, phone_e164: null, company: null, value, currency: "BRL" },
  ...{ owner_id: null, status: "new", version: 1, created_at: `2026-11-${created}T00:00:00+00:00` },
});

const column = (pages: BoardLead[][], more: boolean): Cards => ({
  pages: pages.map((leads, i) => ({ leads, next_cursor: more || i < pages.length - 1 ? "more" : null })),
  pageParams: pages.map(() => null),
});

const ids = (cards: Cards) => cards.pages.map(({ leads }) => leads.map(({ id }) => id).join("")).join("|");

test("a card comes to its place in a column, whatever the order, and only once", () => {
  const all = ["04", "03", "02", "01"].map((day, i) =>
    card("abcd"[i] ?? "", day, [5, null, 7, 1][i] ?? null),
  );
  for (const order of ORDERS) {
    const sorted = [...all].sort((one, other) => compareBoardLeads(one, other, order));
    for (const moved of sorted) {
      const rest = sorted.filter(({ id }) => id !== moved.id);
      const whole = withCard(column([rest.slice(0, 2), rest.slice(2)], false), moved, order);
      const flat = whole.pages.flatMap(({ leads }) => leads.map(({ id }) => id)).join("");
      assert.equal(flat, sorted.map(({ id }) => id).join(""), order);
      assert.equal(ids(withCard(whole, moved, order)).replace("|", ""), flat);
      assert.equal(ids(without(whole, moved.id)).replace("|", ""), rest.map(({ id }) => id).join(""));
    }
  }
  const orders = ORDERS.map((order) => all.toSorted((one, other) => compareBoardLeads(one, other, order)));
  const shown = orders.map((sorted) => sorted.map(({ id }) => id).join(""));
  assert.deepEqual([...ORDERS, ...shown], ["newest", "oldest", "value", "abcd", "dcba", "cadb"]);
});

test("a card that belongs behind what is loaded waits until that is", () => {
  assert.equal(ids(withCard(column([[card("a", "09")]], true), card("z", "01"), "newest")), "a");
  assert.equal(ids(withCard(column([[card("a", "09")]], false), card("z", "01"), "newest")), "az");
  assert.equal(ids(withCard(column([[]], false), card("z", "01"), "newest")), "z");
});

test("totals follow a card, and money of one currency is never added to another's", () => {
  const group = (status: string, currency: string | null, count: number, sum: number | null) => ({
    key: { status, currency },
    metrics: { count, sum_value: sum },
  });
  const totals = totalsOf({
    groups: [
      group("new", "BRL", 2, 300),
      group("new", "USD", 1, 50),
      group("new", null, 1, null),
      group("won", "BRL", 1, 10),
    ],
  });
  assert.equal(totals.get("new")?.count, 4);
  assert.deepEqual(
    [...(totals.get("new")?.sums ?? [])],
    [
      ["BRL", 300],
      ["USD", 50],
    ],
  );
  const after = movedTotals(totals, card("a", "01", 100), { from: "new", to: "won", currency: null });
  assert.deepEqual([after.get("new")?.count, after.get("won")?.count], [3, 2]);
  assert.deepEqual([after.get("new")?.sums.get("BRL"), after.get("won")?.sums.get("BRL")], [200, 110]);
  const back = movedTotals(
    after,
    { ...card("a", "01", 100), currency: null },
    { from: "won", to: "new", currency: "BRL" },
  );
  assert.deepEqual([...back.entries()].sort(), [...totals.entries()].sort());
});
