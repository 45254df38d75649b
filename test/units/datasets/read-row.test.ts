import assert from "node:assert/strict";
import { test } from "node:test";
import { missingOf, readRow } from "../../../src/domain/datasets/rows/read-row.ts";
import { STORED } from "../support/companies.ts";

const ACME = {
  domain: "acme.com",
  name: "Acmé",
  employees: 12,
  revenue: 10.5,
  active: true,
  founded: "1999-02-28",
  seen: "2026-03-31T14:30:00-03:00",
  contact: "Ana@Acme.com",
  phone: "+55 (11) 91234-5678",
  site: "https://acme.com/?a=1",
  tier: "gold",
  facts: { a: [1, { b: null }] },
};

/** Values that a column refuses, and the error's code. */
const WRONG: [string, unknown, string][] = [
  ["name", 5, "type"],
  ["name", "", "required"],
  ["name", null, "required"],
  ["name", "a\0b", "nul"],
  ["name", "\ud800", "lone_surrogate"],
  ["name", "x".repeat(20_001), "too_long"],
  ["employees", 1.5, "type"],
  ["employees", "12", "type"],
  ["employees", 2 ** 60, "type"],
  ["revenue", "1.5", "type"],
  ["revenue", [1], "type"],
  ["active", "true", "type"],
  ["active", 1, "type"],
  ["founded", "2026-02-30", "not_a_date"],
  ["founded", "01/02/2026", "not_a_date"],
  ["seen", "2026-03-31T14:30:00", "not_a_datetime"],
  ["seen", "infinity", "not_a_datetime"],
  ["seen", "9999-12-31T23:59:59-12:00", "not_a_datetime"],
  ["seen", "0001-01-01T00:00:00+12:00", "not_a_datetime"],
  ["contact", "ana@", "not_an_email"],
  ["phone", "5.5E+12", "scientific_notation"],
  ["phone", "12345678", "not_a_phone"],
  ["site", "javascript:alert(1)", "not_a_url"],
  ["site", "acme.com", "not_a_url"],
  ["tier", "Gold", "unknown_option"],
  ["facts", { a: "\0" }, "nul"],
  ["facts", ["\udc00"], "lone_surrogate"],
  ["nome", "x", "unknown_column"],
  ["_version", 3, "read_only"],
  ["_id", "row_1", "unknown_row"],
  ["__proto__", "x", "read_only"],
  ["constructor", "x", "unknown_column"],
];

/** Returns the errors of an inserted row: column and code of each. */
function faultsOf(row: unknown): [string, string][] {
  const { patch, faults } = readRow(STORED, row, "json");
  const missing = missingOf(STORED.columns, (slot) => (patch.get(slot) ?? null) !== null);
  return [...faults, ...(faults.length > 0 ? [] : missing)].map(({ path, code }) => [path, code]);
}

test("a value that does not fit its column is refused with column and code", () => {
  assert.deepEqual(faultsOf(ACME), []);
  for (const [column, value, code] of WRONG) {
    const rest = Object.entries({ ...ACME, domain: "b.com" }).filter(([name]) => name !== column);
    // Only JSON.parse makes `__proto__` an own key.
    const row: unknown = JSON.parse(
      JSON.stringify(Object.fromEntries(rest)).replace(
        /\}$/,
        `,${JSON.stringify(column)}:${JSON.stringify(value)}}`,
      ),
    );
    assert.deepEqual(faultsOf(row), [[column, code]], `${column} ${code}`);
  }
  assert.deepEqual([faultsOf([]), faultsOf("x")], [[["", "type"]], [["", "type"]]]);
  assert.deepEqual(faultsOf({ domain: "c.com" }), [["name", "required"]]);
});
