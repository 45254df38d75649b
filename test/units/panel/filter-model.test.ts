import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATORS as ALL } from "../../../src/contract/lists/operators.ts";
import { addPart, changePart, countParts, removePart } from "../../../web/src/filter/model/change-filter.ts";
import { carried, editorFor, OPERATORS } from "../../../web/src/filter/model/operators.ts";
import { type Group, newCondition, newEvent, type Part } from "../../../web/src/filter/model/part.ts";
import { readFilter } from "../../../web/src/filter/model/read-filter.ts";
import { writeFilter } from "../../../web/src/filter/model/write-filter.ts";
import { randomFilter, randomFrom } from "../../api/support/random-filter.ts";

const back = (filter: unknown) => writeFilter(readFilter(filter)).filter;

/** Returns the value at a JSON path such as `$.filter.and[1].not`. */
function at(filter: unknown, path: string): unknown {
  const steps = path.slice("$.filter".length).match(/[^.[\]]+/g) ?? [];
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], filter);
}

const leaves = (part: Part): Part[] =>
  part.kind === "group"
    ? part.parts.flatMap(leaves)
    : part.kind === "event" || part.kind === "dataset"
      ? [part, ...leaves(part.where)]
      : [part];

test("every filter of the grammar is edited and written again as it was, and its parts are known by their paths", () => {
  const random = randomFrom(20_261_121);
  for (let i = 0; i < 20_000; i += 1) {
    const filter = randomFilter(random, ["view_1", "view_2"], 1 + (i % 6), ["companies", "visits"]);
    const root = readFilter(filter);
    const { filter: written, places } = writeFilter(root);
    assert.deepEqual(written, filter);
    assert.equal(JSON.stringify(back(written)), JSON.stringify(written));
    for (const part of leaves(root)) {
      assert.notEqual(part.kind, "raw", JSON.stringify(filter));
      const json = at(filter, places.get(part.id) ?? assert.fail());
      assert.deepEqual(back(json), json);
      if (part.kind === "condition" && part.nots === 0) {
        assert.deepEqual((json as { field: string }).field, part.field);
      }
    }
  }
});

test("what no editor supports is kept unchanged", () => {
  const deep = JSON.parse(`${'{"not":'.repeat(2_000)}{"and":[]}${"}".repeat(2_000)}`);
  const strange = [
    ...[null, 1, "x", true, [], {}, [{ and: [] }], { and: {} }, { and: [], or: [] }, { xor: [] }],
    ...[
      { field: "name" },
      { field: "name", op: "eq" },
      { field: "", op: "is_empty" },
      { field: 1, op: "eq" },
    ],
    ...[
      { field: "name", op: "eq", value: null },
      { field: "name", op: "eq", value: "a", extra: 1 },
    ],
    ...[
      { field: "name", op: "is_empty", value: null },
      { field: "data.", op: "eq", value: 1 },
    ],
    ...[{ view: "" }, { view: 1 }, { view: "v", and: [] }, { not: null }, { not: { not: { or: [] } } }],
    ...[
      { event: null },
      { event: [] },
      { event: { type: [] } },
      { event: { type: 1 } },
      { event: { typ: "x" } },
    ],
    ...[{ event: {} }, { event: { type: ["a"] } }, { event: { pick: "middle" } }, { event: { pick: "any" } }],
    ...[{ event: { count: 3 } }, { event: { count: { op: "gte" } } }, { event: { where: 7 } }],
    ...[{ event: { where: { and: [] } } }, { event: { where: { not: { and: [] } } } }],
    ...[{ dataset: {} }, { dataset: { key: "" } }, { dataset: { key: "a", where: { or: [] } } }],
    ...[deep, { and: [deep, { field: "name", op: "eq", value: "a" }] }, { or: [null, { view: 3 }] }],
  ];
  for (const filter of strange) assert.deepEqual(back(filter), filter, JSON.stringify(filter).slice(0, 100));
  assert.equal(back(undefined), undefined);
});

test("unfinished conditions are left out, and the paths of the others are adjusted", () => {
  const filter = {
    or: [{ field: "name", op: "eq", value: "a" }, { not: { field: "city", op: "is_empty" } }],
  };
  const root = readFilter(filter);
  const [name, city] = root.parts as [Part, Part];
  const more = addPart(addPart(root, root.id, newCondition()), root.id, newEvent());
  assert.deepEqual(writeFilter(more).filter, { or: [...filter.or, { event: {} }] });
  const half = changePart(root, name.id, () => ({ ...newCondition(), field: "score", op: "gt" }));
  const { filter: written, places } = writeFilter(half);
  assert.deepEqual(written, { or: [filter.or[1]] });
  assert.equal(places.get(city.id), "$.filter.or[0]");
  const none = removePart(removePart(root, name.id), city.id);
  assert.equal(writeFilter(none).filter, undefined);
});

test("a single condition stands alone, a second makes them two of a group, and one again", () => {
  const one = readFilter({ field: "name", op: "eq", value: "a" });
  const two = addPart(one, one.id, { ...newCondition(), field: "city", op: "is_empty" });
  const [, city] = two.parts as [Part, Part];
  assert.deepEqual(writeFilter(two).filter, {
    and: [
      { field: "name", op: "eq", value: "a" },
      { field: "city", op: "is_empty" },
    ],
  });
  assert.deepEqual(writeFilter(removePart(two, city.id)).filter, { field: "name", op: "eq", value: "a" });
  assert.equal(countParts(two), 2);
});

test("taking the last part out of a group takes the group, but not what was empty before", () => {
  const root = readFilter({ and: [{ or: [] }, { or: [{ field: "name", op: "is_empty" }] }] });
  const [, second] = root.parts as [Group, Group];
  const inner = second.parts[0] ?? assert.fail();
  assert.deepEqual(writeFilter(removePart(root, inner.id)).filter, { and: [{ or: [] }] });
});

test("the panel offers every operator that the service has", () => {
  for (const [type, operators] of Object.entries(OPERATORS)) {
    const known: readonly string[] = ALL[type as keyof typeof OPERATORS];
    assert.deepEqual([...operators].sort(), [...known].sort(), type);
  }
  assert.deepEqual(Object.keys(ALL).sort(), [...Object.keys(OPERATORS), "object"].sort());
});

test("every operator of every type has an editor that can show a value for it, and values are carried over", () => {
  const values: unknown[] = ["x", "2026-01-01", 3, true, ["x", "y"], [1, 2], { n: 3, unit: "week" }, "today"];
  for (const [type, operators] of Object.entries(OPERATORS) as [keyof typeof OPERATORS, string[]][]) {
    for (const op of operators) {
      for (const value of values) {
        const next = carried(type, op, value);
        assert.notEqual(editorFor(type, op, next), "json", `${type} ${op} ${JSON.stringify(value)}`);
      }
      assert.equal(editorFor(type, op, { what: "ever" }), op.startsWith("is_") ? "json" : "json");
    }
  }
  assert.deepEqual(carried("text", "in", " x "), ["x"]);
  assert.equal(carried("text", "eq", ["x", "y"]), "x");
});

test("values that the usual editor could not show completely are edited as JSON", () => {
  assert.equal(editorFor("text", "in", ["a", "a"]), "json");
  assert.equal(editorFor("text", "in", ["a", ""]), "json");
  assert.equal(editorFor("number", "between", [1]), "json");
  assert.equal(editorFor("date", "in_last", { n: 1, unit: "moon" }), "json");
  assert.equal(editorFor("text", "in", Array.from({ length: 1_000 }, String)), "json");
});
