import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULTS, scheduleOf } from "../../../test/chaos/schedule.ts";

const SEEDS = Array.from({ length: 500 }, (_, i) => i + 1);

test("the same seed makes the same schedule, and other seeds others", () => {
  assert.deepEqual(
    SEEDS.map((seed) => scheduleOf(seed)),
    SEEDS.map((seed) => scheduleOf(seed)),
  );
  assert.equal(
    new Set(SEEDS.map((seed) => JSON.stringify({ ...scheduleOf(seed), seed: 0 }))).size,
    SEEDS.length,
  );
});

test("schedules have every kind of fault and every kind of installation, and last from 0.2 to 8 seconds", () => {
  const all = SEEDS.map((seed) => scheduleOf(seed));
  const faults = all.flatMap((schedule) => schedule.faults);
  assert.deepEqual(new Set(faults.map(({ kind }) => kind)), new Set(FAULTS));
  assert.ok(faults.every(({ lasts }) => lasts >= 200 && lasts <= 8_000));
  assert.deepEqual(new Set(all.map(({ roles }) => roles)), new Set(["all all", "web api worker"]));
  assert.deepEqual(new Set(all.map(({ limits }) => limits)), new Set(["postgres", "redis"]));
  assert.deepEqual(new Set(all.map(({ twoVersions }) => twoVersions)), new Set([true, false]));
});

test("only the chosen kinds of faults are scheduled", () => {
  const faults = SEEDS.flatMap((seed) => scheduleOf(seed, ["clock", "silence"]).faults);
  assert.deepEqual(new Set(faults.map(({ kind }) => kind)), new Set(["clock", "silence"]));
});
