import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decide,
  type LaterStep,
  metClaims,
  type Presence,
  type Rules,
  type Step,
  type UndoRecord,
  WHOLE,
} from "../../../src/domain/undo/rule/decide.ts";

const BIA = {
  by: { type: "person", id: "per_bia", label: "Bia" },
  change_id: "chg_1",
  at: "2026-01-01T00:00:00+00:00",
} as const;

const set = (field: string, from: unknown, to: unknown, order = 1): Step => ({ field, from, to, order });
const came = (from: Presence, to: Presence): Step => ({ field: null, from, to, order: 1 });
const later = (step: Step): LaterStep => ({ ...step, order: step.order + 10, writer: BIA });

/** A record whose change took the steps `own`, with these values now. */
const record = (
  own: readonly Step[],
  values: Record<string, unknown>,
  more: Partial<UndoRecord> = {},
): UndoRecord => ({
  ...{ id: "lead_1", own, later: [], last: Math.max(0, ...own.map(({ order }) => order)), now: "there" },
  read: (field) => (field in values ? values[field] : null),
  ...more,
});

const LEAD: Rules = { absent: "deleted", optOut: "do_not_contact" };

/** What is decided, in short: what is done, the former values, and what is kept for which reason. */
function decided(
  what: UndoRecord,
  {
    rules = LEAD,
    fits = () => true,
    only,
    clears,
  }: { rules?: Rules; fits?: () => boolean; only?: (string | null)[]; clears?: boolean } = {},
): unknown[] {
  const tried = only === undefined ? undefined : new Set(only);
  const { op, back, kept } = decide(what, rules, fits, tried, clears);
  return [op, Object.fromEntries(back), kept.map(({ field, reason }) => `${field}: ${reason}`)];
}

const SCORE = [set("score", 1, 2)];
const NOTHING = ["none", {}, []];

test("a field gets its former value only if it still has what the change wrote, and nobody has set it since", () => {
  assert.deepEqual(decided(record(SCORE, { score: 2 })), ["set", { score: 1 }, []]);
  assert.deepEqual(decided(record(SCORE, { score: 1 })), NOTHING);
  assert.deepEqual(decided(record(SCORE, { score: 3 })), ["none", {}, ["score: changed_since"]]);
  const again = [later(set("score", 2, 5)), later(set("score", 5, 2, 2))];
  assert.deepEqual(decided(record(SCORE, { score: 2 }, { later: again })), [
    "none",
    {},
    ["score: changed_since"],
  ]);
  const other = [later(set("city", 1, 2))];
  assert.deepEqual(decided(record(SCORE, { score: 2 }, { later: other })), ["set", { score: 1 }, []]);
});

test("a change that set a field several times is undone to where somebody else last set it", () => {
  const own = [set("score", 1, 2), set("score", 2, 3, 2)];
  assert.deepEqual(decided(record(own, { score: 3 })), ["set", { score: 1 }, []]);
  const around = [set("score", 1, 2), set("score", 7, 3, 3)];
  assert.deepEqual(decided(record(around, { score: 3 })), ["set", { score: 7 }, []]);
});

test("a timestamp is the same however it is written", () => {
  const touched = [set("first_touch", null, "2026-01-02T03:04:05.000Z")];
  const now = { first_touch: "2026-01-02T03:04:05+00:00" };
  assert.deepEqual(decided(record(touched, now)), ["set", { first_touch: null }, []]);
});

test("an opt-out is cleared only if that was asked for, and set by every undo", () => {
  const OUT = [set("do_not_contact", false, true), set("score", 1, 2)];
  const now = { do_not_contact: true, score: 2 };
  const kept = ["do_not_contact: opt_out"];
  const rows: Rules = { absent: "gone" };
  const cleared = [set("do_not_contact", true, false)];
  const by = [later(set("do_not_contact", true, true))];
  for (const [name, is, wanted] of [
    ["kept", decided(record(OUT, now)), ["set", { score: 1 }, kept]],
    [
      "cleared",
      decided(record(OUT, now), { clears: true }),
      ["set", { do_not_contact: false, score: 1 }, []],
    ],
    ["kept again", decided(record(OUT, now), { only: ["do_not_contact"] }), ["none", {}, kept]],
    [
      "cleared later",
      decided(record(OUT, now), { only: ["do_not_contact"], clears: true }),
      ["set", { do_not_contact: false }, []],
    ],
    ["set again", decided(record(cleared, { do_not_contact: false })), ["set", { do_not_contact: true }, []]],
    [
      "changed since",
      decided(record(OUT, now, { later: by })),
      ["set", { score: 1 }, ["do_not_contact: changed_since"]],
    ],
    [
      "a column of a dataset",
      decided(record(OUT, now), { rules: rows }),
      ["set", { do_not_contact: false, score: 1 }, []],
    ],
    [
      "deleted by the undo of its creation",
      decided(record([came("none", "there"), ...OUT], now)),
      ["delete", {}, []],
    ],
  ] as const)
    assert.deepEqual(is, wanted, name);
});

test("a list loses what was added and gets back what was removed, except what others did again", () => {
  const of = (tags: string[], ...steps: [string[], string[]][]) =>
    decided(
      record(
        [set("tags", ["a", "b"], ["b", "c"])],
        { tags },
        {
          later: steps.map(([from, to], n) => later(set("tags", from, to, n))),
        },
      ),
    )[1];
  assert.deepEqual(of(["b", "c"]), { tags: ["a", "b"] });
  assert.deepEqual(
    of(
      ["b", "c", "d"],
      [
        ["b", "c"],
        ["b", "c", "d"],
      ],
    ),
    { tags: ["b", "d", "a"] },
  );
  const removedAgain: [string[], string[]][] = [
    [["b", "c"], ["b"]],
    [["b"], ["b", "c"]],
  ];
  assert.deepEqual(of(["b", "c"], ...removedAgain), { tags: ["b", "c", "a"] });
  const addedAgain: [string[], string[]][] = [
    [
      ["b", "c"],
      ["b", "c", "a"],
    ],
    [
      ["b", "c", "a"],
      ["b", "c"],
    ],
  ];
  assert.deepEqual(of(["b", "c"], ...addedAgain), { tags: ["b"] });
});

test("a created record is deleted only if it is untouched", () => {
  const created = [came("none", "there")];
  const kept = (reason: string) => ["none", {}, [`null: ${reason}`]];
  assert.deepEqual(decided(record(created, {})), ["delete", {}, []]);
  assert.deepEqual(decided(record(created, {}, { now: "deleted" })), NOTHING);
  assert.deepEqual(
    decided(record(created, {}, { later: [later(set("score", 1, 2))] })),
    kept("changed_since"),
  );
  assert.deepEqual(decided(record(created, {}, { untraced: true })), kept("changed_since"));
  assert.deepEqual(decided(record(created, {}, { event: BIA })), kept("has_events"));
  assert.deepEqual(decided(record(created, {}, { now: "merged" })), kept("merged"));
  assert.deepEqual(decided(record(created, {}, { now: "gone" })), kept("gone"));
  assert.deepEqual(decided(record([...created, came("there", "deleted")], {}, { now: "deleted" })), NOTHING);
});

test("a deleted record is restored, and a restored one deleted, unless somebody did so since", () => {
  const deleted = [came("there", "deleted")];
  assert.deepEqual(decided(record(deleted, {}, { now: "deleted" })), ["restore", {}, []]);
  assert.deepEqual(decided(record(deleted, {})), NOTHING);
  const again = { now: "deleted", later: [later(came("there", "deleted"))] } as const;
  assert.deepEqual(decided(record(deleted, {}, again)), ["none", {}, ["null: deleted"]]);
  const restored = [came("deleted", "there")];
  assert.deepEqual(decided(record(restored, {})), ["delete", {}, []]);
  const touched = { later: [later(set("score", 1, 2))] };
  assert.deepEqual(decided(record(restored, {}, touched)), ["none", {}, ["null: changed_since"]]);
});

test("a record of which nothing is left comes back with the fields that there still are", () => {
  const rules: Rules = { again: "taken", absent: "gone" };
  const deleted = [came("there", "none"), set("a", 1, null), set("b", 2, null), set("c", null, null)];
  const now = { now: "none", read: (field: string) => (field === "b" ? undefined : null) } as const;
  assert.deepEqual(decided(record(deleted, {}, now), { rules }), ["restore", { a: 1 }, ["b: does_not_fit"]]);
  assert.deepEqual(decided(record(deleted, {}), { rules }), ["none", {}, ["null: taken"]]);
});

test("fields of a record that is deleted or merged are kept, and so is a value that its field does not take", () => {
  const kept = (what: string) => ["none", {}, [what]];
  assert.deepEqual(decided(record(SCORE, { score: 2 }, { now: "deleted" })), kept("null: deleted"));
  assert.deepEqual(decided(record(SCORE, { score: 2 }, { now: "merged" })), kept("null: merged"));
  assert.deepEqual(decided(record(SCORE, { score: 2 }), { fits: () => false }), kept("score: does_not_fit"));
  assert.deepEqual(decided(record(SCORE, { score: undefined })), kept("score: does_not_fit"));
});

test("a later round looks at what was kept only", () => {
  const own = [set("score", 1, 2), set("city", "a", "b")];
  const now = { score: 2, city: "b" };
  assert.deepEqual(decided(record(own, now), { only: ["city"] }), ["set", { city: "a" }, []]);
  assert.deepEqual(decided(record(own, now), { only: [null] }), ["set", { score: 1, city: "a" }, []]);
  assert.deepEqual(decided(record(own, now, { now: "deleted" }), { only: ["city"] }), [
    "none",
    {},
    ["city: deleted"],
  ]);
});

test("a definition is a record with one field, which callers see as the whole", () => {
  const rules: Rules = { again: "taken", absent: "deleted" };
  const own = [set(WHOLE, { label: "a" }, { label: "b" })];
  assert.deepEqual(decided(record(own, { [WHOLE]: { label: "b" } }), { rules }), [
    "set",
    { "": { label: "a" } },
    [],
  ]);
  assert.deepEqual(decided(record(own, { [WHOLE]: { label: "x" } }), { rules }), [
    "none",
    {},
    ["null: changed_since"],
  ]);
});

test("values of which there is one only go back together, also in a circle, and those that others hold do not", () => {
  const holders = new Map([
    ["x", "two"],
    ["y", "one"],
    ["z", "stranger"],
    ["w", "four"],
  ]);
  const met = (...claims: [string, string][]) => {
    const { ids, released } = metClaims(
      claims.map(([id, value]) => ({ id, value })),
      (value) => holders.get(value),
    );
    return [[...ids], [...released]];
  };
  assert.deepEqual(met(["one", "x"], ["two", "y"]), [
    ["one", "two"],
    ["two", "one"],
  ]);
  assert.deepEqual(met(["one", "x"], ["two", "z"]), [[], []]);
  assert.deepEqual(met(["one", "free"], ["two", "free"]), [["one"], []]);
  assert.deepEqual(met(["four", "w"]), [["four"], []]);
});
