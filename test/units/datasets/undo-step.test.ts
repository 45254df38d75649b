import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dataset } from "../../../src/domain/datasets/definition/dataset.ts";
import type { Cell } from "../../../src/domain/datasets/rows/cell.ts";
import { RowIdentityMap } from "../../../src/domain/datasets/rows/row-identity-map.ts";
import { type RowItem, undoStep } from "../../../src/domain/datasets/rows/undo-step.ts";

const column = (slot: string, key: string, more: object = {}) => ({
  ...{ slot, key, label: key, type: "text", required: false, unique: false, options: [] },
  ...more,
});

const DATASET = {
  ...{ id: "ds_1", columns: [column("c1", "name", { required: true }), column("c2", "note")], change: null },
  ...{ country: null, timezone: "UTC" },
} as unknown as Dataset;

type Cells = Record<string, Cell>;

/** Undoes an item; returns what was done, the row's cells afterwards, and what was kept. */
function stepOf(
  now: { version: number; cells: Cells } | undefined,
  item: Partial<RowItem>,
  kept: string[] = [],
) {
  const map = new RowIdentityMap(DATASET);
  if (now !== undefined) map.rows.set("row_1", { id: "row_1", changed: false, ...now });
  const others = { versions: 0, latest: 2, hasOthers: false, otherSlots: [] };
  const whole = { id: "evt_1", record_id: "row_1", before: {}, after: {}, version: 2, ...others, ...item };
  const step = undoStep(map, whole, new Set(kept));
  return [step.did, map.rows.get("row_1")?.cells, step.kept.map(({ slot, reason }) => `${slot} ${reason}`)];
}

test("a created row is deleted while nothing that others did to it stands, and changes tell of all its versions", () => {
  const made = { before: null, after: { c1: "a" }, version: 1 };
  const row = { version: 3, cells: { c1: "a" } };
  const left = ["nothing", { c1: "a" }, ["null changed_since"]];
  assert.deepEqual(stepOf(row, { ...made, versions: 2 }), ["deleted", undefined, []]);
  assert.deepEqual(stepOf(row, { ...made, versions: 1 }), left);
  assert.deepEqual(stepOf(row, { ...made, versions: 2, hasOthers: true }), left);
  assert.deepEqual(stepOf(undefined, made), ["nothing", undefined, []]);
});

test("former cells are put back one by one", () => {
  const item = { before: { c1: "a", c2: null }, after: { c1: "b", c2: "x" } };
  const set = { ...item, otherSlots: [["c1"]] };
  assert.deepEqual(stepOf({ version: 4, cells: { c1: "b", c2: "x" } }, set), [
    ...["put_back", { c1: "b" }],
    ["c1 changed_since"],
  ]);
  const cases: [cells: Cells, kept: string[], did: string, after: Cells, left: string[]][] = [
    [{ c1: "a", c2: "y" }, [], "nothing", { c1: "a", c2: "y" }, ["c2 changed_since"]],
    [{ c1: "b", c2: "x" }, [], "put_back", { c1: "a" }, []],
    [{ c1: "b", c2: "y" }, [], "put_back", { c1: "a", c2: "y" }, ["c2 changed_since"]],
    [{ c1: "z" }, [], "nothing", { c1: "z" }, ["c1 changed_since"]],
    [{ c1: "b", c2: "x" }, ["c1"], "put_back", { c1: "b" }, []],
  ];
  for (const [cells, kept, did, after, left] of cases)
    assert.deepEqual(stepOf({ version: 2, cells }, item, kept), [did, after, left]);
});

test("a former value that does not fit its column stays away, and so does one whose column is gone", () => {
  const item = { before: { c1: null, c2: "x", c9: "q" }, after: { c1: "b", c2: "y", c9: "r" } };
  assert.deepEqual(stepOf({ version: 2, cells: { c1: "b", c2: "y", c9: "r" } }, item), [
    "put_back",
    { c1: "b", c2: "x", c9: "r" },
    ["c9 does_not_fit", "c1 does_not_fit"],
  ]);
});

test("a deleted row comes back with the columns that there still are, but not over a row, and not without a required value", () => {
  const gone = { after: null, before: { c1: "a", c9: "q", _created_at: "2026-01-01T00:00:00+00:00" } };
  assert.deepEqual(stepOf(undefined, gone), ["restored", { c1: "a" }, ["c9 does_not_fit"]]);
  assert.deepEqual(stepOf({ version: 5, cells: { c1: "b" } }, gone), [
    "nothing",
    { c1: "b" },
    ["null changed_since"],
  ]);
  const empty = { after: null, before: { c2: "x" } };
  assert.deepEqual(stepOf(undefined, empty), ["nothing", undefined, ["null does_not_fit"]]);
});
