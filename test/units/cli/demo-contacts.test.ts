import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { demoContacts, shiftedDays } from "../../../src/cli/demo/demo-contacts.ts";
import { BANK_FILE } from "../../imports/support/bank-file.ts";
import { large } from "../../large.ts";

const DAY = 86_400_000;
const at = (day: string) => Date.parse(day);
const weekday = (day: number) => new Date(day).getUTCDay();
const file = readFileSync(BANK_FILE, "utf8");
const owners = ["per_a", "per_b", "per_c", "per_d"];

const tableOf = (text: string) => {
  const [head = "", ...lines] = text.split("\n");
  const headers = head.split(";");
  return lines.map((line) => {
    const cells = line.split(";");
    return Object.fromEntries(headers.map((header, i) => [header, cells[i] ?? ""]));
  });
};

test("shifted days end on the given day and keep their order, and working days stay working days", () => {
  const [first, last] = [at("2008-05-05"), at("2010-11-17")];
  const days = Array.from({ length: (last - first) / DAY + 1 }, (_, i) => first + i * DAY);
  for (const until of [
    "2026-03-30",
    "2026-11-20",
    "2026-11-21",
    "2026-11-22",
    "2026-11-23",
    "2027-01-01",
    "2028-02-29",
  ]) {
    const shifted = shiftedDays(days, at(until));
    const moved = days.map((day) => shifted.get(day) ?? 0);
    assert.equal(moved.at(-1), at(until), until);
    for (const [i, day] of moved.entries()) {
      if (i > 0) assert.ok(day >= (moved[i - 1] ?? 0), `${until}: ${i}`);
      const isEnd = day === at(until);
      if (!isEnd && ![0, 6].includes(weekday(days[i] ?? 0)))
        assert.ok(![0, 6].includes(weekday(day)), `${until}: ${i}`);
    }
    // a different working day for each
    const working = days.filter((day) => ![0, 6].includes(weekday(day)));
    assert.equal(new Set(working.map((day) => shifted.get(day))).size, working.length, until);
  }
});

large(
  "the demo's contacts are the file's, called in office hours until the day before, with every added cell filled",
  () => {
    const text = demoContacts(file, { lastCall: "2026-11-22", owners });
    assert.equal(demoContacts(file, { lastCall: "2026-11-22", owners }), text, "the same file each time");
    const rows = tableOf(text);
    const plain = file
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.replaceAll('"', "").trim().split(";"));
    assert.equal(rows.length, 45_211);
    const [end, open] = [at("2026-11-23"), at("2026-11-22") - 40 * DAY];
    let last = 0;
    for (const [i, row] of rows.entries()) {
      const own = plain[i] ?? [];
      assert.deepEqual(Object.values(row).slice(0, 16), own.slice(0, 16));
      const [called, came] = [Date.parse(row.last_call_at ?? ""), Date.parse(row.came_in_at ?? "")];
      const hour = new Date(called).getUTCHours();
      assert.ok(called < end && hour >= 9 && hour < 17, row.last_call_at);
      assert.ok(came < called - (Number(row.campaign) - 1) * DAY, "came in before the first call");
      assert.ok(owners.includes(row.owner ?? ""));
      assert.ok(Number(row.amount) >= 500 && Number(row.amount) <= 30_000 && Number(row.amount) % 50 === 0);
      assert.ok(row.product !== "" && row.channel !== "");
      if (own[16] === "yes" || called < open) assert.equal(row.y, own[16]);
      else assert.match(row.y ?? "", /^(new|contacted|qualified|no)$/);
      last = Math.max(last, called);
    }
    assert.equal(new Date(last).toISOString().slice(0, 10), "2026-11-22");
  },
);

test("the last 30 days of the demo have leads of every status, owner, campaign and source", () => {
  const rows = tableOf(demoContacts(file, { lastCall: "2026-11-22", owners }));
  const recent = rows.filter((row) => Date.parse(row.came_in_at ?? "") > at("2026-10-24"));
  const kinds = (column: string) => new Set(recent.map((row) => row[column])).size;
  assert.ok(recent.length > 100);
  assert.deepEqual(["y", "owner", "product", "channel"].map(kinds), [5, 4, 5, 3]);
});
