import assert from "node:assert/strict";
import { test } from "node:test";
import { decideLead } from "../../../src/domain/leads/undo/decide-lead.ts";
import type {
  LaterStep,
  LeadEffect,
  LeadNow,
  Since,
  Step,
} from "../../../src/domain/leads/undo/lead-effect.ts";

const BIA = {
  by: { type: "person", id: "per_bia", label: "Bia" },
  change_id: "chg_1",
  at: "2026-01-01T00:00:00+00:00",
} as const;

const effect = (fields: Record<string, Step>, more: Partial<LeadEffect> = {}): LeadEffect => ({
  ...{
    id: "lead_1",
    created: false,
    deleted: false,
    restored: false,
    fields: new Map(Object.entries(fields)),
  },
  ...{ recorded: [], version: null, withdrew: false, moved: false },
  ...more,
});

const now = (values: Record<string, unknown>, more: Partial<LeadNow> = {}): LeadNow => ({
  ...{ id: "lead_1", deleted: false, merged: false, version: 2, values: { custom: {}, ...values } },
  ...more,
});

const later = (field: string, from: unknown, to: unknown): LaterStep => ({ ...BIA, field, from, to });

const since = (...steps: LaterStep[]): Since => ({ steps, step: steps.at(-1), event: undefined });

/** What is decided, in short: what is done, the former values, and what is kept for which reason. */
function decided(
  change: LeadEffect,
  lead: LeadNow | undefined,
  others = since(),
  fits = () => true,
): unknown[] {
  const { op, back, kept } = decideLead(change, lead, others, fits);
  return [op, Object.fromEntries(back), kept.map(({ field, reason }) => `${field}: ${reason}`)];
}

const SCORE = { score: { from: 1, to: 2 } };
const TAGS = { tags: { from: ["a", "b"], to: ["b", "c"] } };

test("a field gets its former value only if it still has what the change wrote, and nobody has set it since", () => {
  assert.deepEqual(decided(effect(SCORE), now({ score: 2 })), ["set", { score: 1 }, []]);
  assert.deepEqual(decided(effect(SCORE), now({ score: 1 })), ["none", {}, []]);
  assert.deepEqual(decided(effect(SCORE), now({ score: 3 })), ["none", {}, ["score: changed_since"]]);
  const again = since(later("score", 2, 5), later("score", 5, 2));
  assert.deepEqual(decided(effect(SCORE), now({ score: 2 }), again), ["none", {}, ["score: changed_since"]]);
  assert.deepEqual(decided(effect(SCORE), now({ score: 2 }), since(later("city", 1, 2))), [
    "set",
    { score: 1 },
    [],
  ]);
  const custom = effect({ "custom.plan": { from: null, to: "a" } });
  assert.deepEqual(decided(custom, now({ custom: { plan: "a" } })), ["set", { "custom.plan": null }, []]);
});

test("a timestamp is the same however it is written", () => {
  const touched = effect({ first_touch: { from: null, to: "2026-01-02T03:04:05.000Z" } });
  assert.deepEqual(decided(touched, now({ first_touch: "2026-01-02T03:04:05+00:00" })), [
    "set",
    { first_touch: null },
    [],
  ]);
});

test("a list loses what was added and gets back what was removed, except what others did again", () => {
  const of = (tags: string[], ...steps: LaterStep[]) => decided(effect(TAGS), now({ tags }), since(...steps));
  assert.deepEqual(of(["b", "c"]), ["set", { tags: ["a", "b"] }, []]);
  assert.deepEqual(of(["b", "c", "d"], later("tags", ["b", "c"], ["b", "c", "d"])), [
    "set",
    { tags: ["b", "d", "a"] },
    [],
  ]);
  const removedAgain = [later("tags", ["b", "c"], ["b"]), later("tags", ["b"], ["b", "c"])];
  assert.deepEqual(of(["b", "c"], ...removedAgain), ["set", { tags: ["b", "c", "a"] }, []]);
  const addedAgain = [later("tags", ["b", "c"], ["b", "c", "a"]), later("tags", ["b", "c", "a"], ["b", "c"])];
  assert.deepEqual(of(["b", "c"], ...addedAgain), ["set", { tags: ["b"] }, []]);
});

test("a created lead is deleted only if it is untouched", () => {
  const created = effect({}, { created: true });
  assert.deepEqual(decided(created, now({})), ["delete", {}, []]);
  assert.deepEqual(decided(created, now({}, { deleted: true })), ["none", {}, []]);
  assert.deepEqual(decided(created, now({}), since(later("score", 1, 2))), [
    "none",
    {},
    ["null: changed_since"],
  ]);
  assert.deepEqual(decided(created, now({}), { ...since(), event: BIA }), ["none", {}, ["null: has_events"]]);
  assert.deepEqual(decided(created, now({}, { merged: true })), ["none", {}, ["null: merged"]]);
  assert.deepEqual(decided(created, undefined), ["none", {}, ["null: gone"]]);
  const older = effect({}, { created: true, version: 1 });
  assert.deepEqual(decided(older, now({}, { version: 2 })), ["none", {}, ["null: changed_since"]]);
});

test("a deleted lead is restored, and a restored one deleted, unless somebody did so since", () => {
  const deleted = effect({}, { deleted: true });
  assert.deepEqual(decided(deleted, now({}, { deleted: true })), ["restore", {}, []]);
  assert.deepEqual(decided(deleted, now({})), ["none", {}, []]);
  const again = since(later("deleted_at", null, null));
  assert.deepEqual(decided(deleted, now({}, { deleted: true }), again), ["none", {}, ["null: deleted"]]);
  const restored = effect({}, { restored: true });
  assert.deepEqual(decided(restored, now({})), ["delete", {}, []]);
  assert.deepEqual(decided(restored, now({}), since(later("score", 1, 2))), [
    "none",
    {},
    ["null: changed_since"],
  ]);
});

test("fields of a lead that is deleted or merged by now are kept, and so is a value that its field does not take", () => {
  assert.deepEqual(decided(effect(SCORE), now({ score: 2 }, { deleted: true })), [
    "none",
    {},
    ["null: deleted"],
  ]);
  assert.deepEqual(decided(effect(SCORE, { moved: true }), now({ score: 2 })), [
    "none",
    {},
    ["null: merged"],
  ]);
  assert.deepEqual(
    decided(effect(SCORE), now({ score: 2 }), since(), () => false),
    ["none", {}, ["score: does_not_fit"]],
  );
});
