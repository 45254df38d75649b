import assert from "node:assert/strict";
import { test } from "node:test";
import { daysOf, periodFaults, spanBefore } from "../../../src/surfaces/mcp/tools/shared/period.ts";

const TODAY = "2026-03-04"; // a Wednesday

const SPANS: [period: string, from: string, to: string, fromBefore: string][] = [
  ["today", "2026-03-04", "2026-03-05", "2026-03-03"],
  ["yesterday", "2026-03-03", "2026-03-04", "2026-03-02"],
  ["this_week", "2026-03-02", "2026-03-09", "2026-02-23"],
  ["last_week", "2026-02-23", "2026-03-02", "2026-02-16"],
  ["this_month", "2026-03-01", "2026-04-01", "2026-02-01"],
  ["last_month", "2026-02-01", "2026-03-01", "2026-01-01"],
  ["this_quarter", "2026-01-01", "2026-04-01", "2025-10-01"],
  ["last_quarter", "2025-10-01", "2026-01-01", "2025-07-01"],
  ["this_year", "2026-01-01", "2027-01-01", "2025-01-01"],
  ["last_year", "2025-01-01", "2026-01-01", "2024-01-01"],
  ["last_7_days", "2026-02-26", "2026-03-05", "2026-02-19"],
  ["last_2_days", "2026-03-03", "2026-03-05", "2026-03-01"],
  ["last_30_days", "2026-02-03", "2026-03-05", "2026-01-04"],
];

for (const [period, from, to, fromBefore] of SPANS) {
  test(`${period} is from ${from} to before ${to}, and the period before begins on ${fromBefore}`, () => {
    const span = daysOf(period, TODAY);
    assert.deepEqual(span, { from, to });
    assert.deepEqual(spanBefore(span), { from: fromBefore, to: from });
  });
}

test("a week begins on Monday, also seen from a Sunday", () => {
  assert.deepEqual(daysOf("this_week", "2026-03-08"), { from: "2026-03-02", to: "2026-03-09" });
});

test("a period is a known word or last_<n>_days, without dates", () => {
  assert.deepEqual(periodFaults({ period: "last_14_days" }), []);
  for (const period of ["last_0_days", "last_1000_days", "next_week", "tomorrow", "since_yesterday"])
    assert.match(periodFaults({ period })[0]?.message ?? "", /this_week, .*or last_<n>_days/, period);
  assert.equal(periodFaults({ period: "today", from: "2026-03-01" })[0]?.code, "unexpected");
});
