import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, number, percent } from "../../eval/mcp/check/needs.ts";
import { numbersIn } from "../../eval/mcp/check/numbers.ts";

const said = (answer: string) => ({ answer, writes: [], exports: [], changes: [] });

test("a number is found as either language writes it, and not in ids, addresses, dates and times", () => {
  const table: [string, number[]][] = [
    ["10,502 leads", [10_502, 10.502]],
    ["10.502 leads", [10_502, 10.502]],
    ["R$ 1.234.567,50", [1_234_567.5]],
    ["R$ 1,234,567.50", [1_234_567.5]],
    ["10 502 leads", [10_502]],
    ["12,5 %", [12.5]],
    ["**48 mil** reais", [48, 48_000]],
    ["4.5 million", [4.5, 4_500_000]],
    ["lead_01m828fqhxe00brgv3qnb7cz65, ana-7@a1.example, 2026-11-27T10:00, 27/11/2026, 14:30", []],
    ["as doze pessoas, Três; two of them, a ten-year-old", [12, 3, 2, 10]],
    ["none, uma, one", []],
  ];
  for (const [text, numbers] of table) assert.deepEqual(numbersIn(text), numbers, text);
});

test("a number, a percentage and a time are right within their tolerance only", () => {
  const sum = number(4_123_400, 0.01);
  assert.ok(sum.met(said("about R$ 4.12 million")));
  assert.ok(!sum.met(said("about R$ 4.3 million")));
  assert.ok(number(23).met(said("23 people")));
  assert.ok(!number(23).met(said("230 people, 2.3 each, 22")));
  assert.ok(
    percent(35).met(said("35%")) && percent(35).met(said("0.35")) && percent(30.4).met(said("30,4 %")),
  );
  assert.ok(!percent(35).met(said("36.2 %, 3.5")));
  const waited = duration(3.5 * 3_600);
  for (const right of ["3.5 hours", "3 h 30 min", "210 minutes", "12,600 s", "3 hours and 28 minutes"])
    assert.ok(waited.met(said(right)), right);
  for (const wrong of ["35 minutes", "4 hours", "3 h 5 min"]) assert.ok(!waited.met(said(wrong)), wrong);
});
