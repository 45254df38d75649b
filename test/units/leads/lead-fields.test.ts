import assert from "node:assert/strict";
import { test } from "node:test";
import { LEAD_FIELDS, SECTION_OF } from "../../../src/contract/lists/lead-fields.ts";
import { CHOSEN, FOLLOWERS, mergedBy } from "../../../src/contract/lists/merge-rules.ts";
import { WRITABLE } from "../../../src/contract/lists/written-fields.ts";

const names = LEAD_FIELDS.map(({ name }) => name);

test("no field of a lead is listed twice, and each that callers write has a place on the lead's page", () => {
  assert.deepEqual([...new Set(names)], names);
  assert.deepEqual(
    [...WRITABLE.keys()].filter((name) => !Object.hasOwn(SECTION_OF, name)),
    [],
  );
});

test("a merge has one rule for each field that callers write, and fields follow others that are chosen", () => {
  const ruled = [
    ...[...CHOSEN, ...FOLLOWERS.values()].flat(),
    ...(["united", "earliest", "latest", "either"] as const).flatMap(mergedBy),
  ];
  assert.deepEqual([...new Set(ruled)].sort(), [...ruled].sort());
  assert.deepEqual(
    [...WRITABLE.keys()].filter((name) => !ruled.includes(name)),
    [],
  );
  const leaders = LEAD_FIELDS.flatMap(({ merge }) => (typeof merge === "object" ? [merge.follows] : []));
  for (const leader of leaders) assert.ok(WRITABLE.has(leader), leader);
});
