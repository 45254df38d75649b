import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "../../../src/domain/history/definitions/definition-step.ts";
import type { FieldDefinition } from "../../../src/domain/history/definitions/undo-field.ts";
import { widened } from "../../../src/domain/history/definitions/undo-lists.ts";

const field = (more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  ...{
    key: "plan",
    label: "Plan",
    type: "text",
    options: [],
    description: null,
    timeline: true,
    position: 0,
  },
  ...{ indexed: false, created_at: "2026-01-01T00:00:00+00:00" },
  ...more,
});

test("a field is undone only if it still is what the change wrote", () => {
  const [old, fresh, other] = [field({ label: "Old" }), field(), field({ label: "Other" })];
  const indexed = field({ type: "number", indexed: true });
  const cases: [
    before: FieldDefinition | null,
    after: FieldDefinition | null,
    now: FieldDefinition | undefined,
    step: string,
  ][] = [
    [null, fresh, fresh, "delete"],
    [null, fresh, other, "changed_since"],
    [null, fresh, undefined, "nothing"],
    [old, fresh, fresh, "write"],
    [old, fresh, other, "changed_since"],
    [old, fresh, undefined, "changed_since"],
    [old, indexed, indexed, "write"],
    [old, indexed, field({ type: "number" }), "changed_since"],
    [old, null, undefined, "create"],
    [old, null, old, "taken"],
  ];
  for (const [before, after, now, step] of cases) assert.equal(stepOf({ before, after }, now), step);
});

test("a former list of statuses is widened by those that leads still have", () => {
  const cases: [former: string[], now: string[], used: string[], list: string[]][] = [
    [["new", "won"], ["new", "won", "lost"], [], ["new", "won"]],
    [["new", "won"], ["new", "won", "lost"], ["lost"], ["new", "won", "lost"]],
    [
      ["b", "a"],
      ["x", "a", "y"],
      ["y", "x", "a"],
      ["b", "a", "x", "y"],
    ],
  ];
  for (const [former, now, used, list] of cases) assert.deepEqual(widened(former, now, new Set(used)), list);
});
