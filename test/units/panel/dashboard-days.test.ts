import assert from "node:assert/strict";
import { test } from "node:test";
import { addMonths, bucketsOf, isDay, lengthOf } from "../../../web/src/dashboard/data/days.ts";
import { periodOf } from "../../../web/src/dashboard/data/period.ts";

test("periods end today and are compared with as many days before, months with the same part of the month before", () => {
  const days = (name: Parameters<typeof periodOf>[0], today: string, custom = { from: "", to: "" }) => {
    const { from, to, before } = periodOf(name, today, custom);
    return [from, to, before.from, before.to];
  };
  assert.deepEqual(days("7", "2026-03-03"), ["2026-02-25", "2026-03-03", "2026-02-18", "2026-02-24"]);
  assert.deepEqual(days("today", "2026-01-01"), ["2026-01-01", "2026-01-01", "2025-12-31", "2025-12-31"]);
  assert.deepEqual(days("this_month", "2026-03-31"), [
    "2026-03-01",
    "2026-03-31",
    "2026-02-01",
    "2026-02-28",
  ]);
  assert.deepEqual(days("this_month", "2026-03-15").slice(2), ["2026-02-01", "2026-02-15"]);
  assert.deepEqual(days("last_month", "2026-01-15"), [
    "2025-12-01",
    "2025-12-31",
    "2025-11-01",
    "2025-11-30",
  ]);
  const own = { from: "2024-02-28", to: "2024-03-01" };
  assert.deepEqual(days("custom", "2026-03-03", own), [
    "2024-02-28",
    "2024-03-01",
    "2024-02-25",
    "2024-02-27",
  ]);
  for (const [from, to] of [
    ["2026-02-30", "2026-03-01"],
    ["2026-03-02", "2026-03-01"],
    ["", "2026-03-01"],
    ["1950-01-01", "2026-03-01"],
    ["<img src=x>", "2026-03-01"],
  ] as const) {
    assert.equal(periodOf("custom", "2026-03-03", { from, to }).name, "30", from);
  }
});

test("buckets hold every day of a period once, cut to it", () => {
  const days = { from: "2026-01-29", to: "2026-03-10" };
  for (const interval of ["day", "week", "month"] as const) {
    const buckets = bucketsOf(days, interval);
    assert.equal(
      buckets.reduce((sum, bucket) => sum + lengthOf(bucket), 0),
      lengthOf(days),
    );
    assert.deepEqual([buckets[0]?.from, buckets.at(-1)?.to], [days.from, days.to]);
  }
  assert.deepEqual(
    bucketsOf(days, "month").map(({ bucket }) => bucket),
    ["2026-01-01", "2026-02-01", "2026-03-01"],
  );
  assert.equal(bucketsOf(days, "week")[0]?.bucket, "2026-01-26");
  assert.deepEqual([addMonths("2026-01-31", 1), isDay("2026-02-29")], ["2026-02-28", false]);
});
