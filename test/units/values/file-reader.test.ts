import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellType } from "../../../src/contract/lists/column-types.ts";
import { ENTRY_TYPES, IMPORT_FIELDS } from "../../../src/contract/lists/written-fields.ts";
import { type CellStyle, fileReader } from "../../../src/domain/values/file-reader.ts";

const STYLE: CellStyle = { dates: "dmy", decimals: "point", timezone: "UTC", escaped: true };
const STATUSES = ["new", "contacted", "qualified", "won", "lost"];

/** Returns a field's value read from a cell, or the error's code. */
function read(field: string, cell: string, style: Partial<CellStyle> = {}): unknown {
  const type: CellType = IMPORT_FIELDS[field] ?? "text";
  const options = field === "status" ? STATUSES : [];
  const reading = fileReader(type, options, { ...STYLE, entries: ENTRY_TYPES[field], ...style })(cell);
  return "value" in reading ? reading.value : { code: reading.code };
}

const bad = (code: string) => ({ code });
const tags = (count: number) => Array.from({ length: count }, (_, n) => `tag ${n}`);

/** Cells by field, and their values. */
const CELLS: [field: string, cell: string, expected: unknown][] = [
  ["email", "nobody", bad("not_an_email")],
  ["score", "much", bad("not_a_number")],
  ["score", "4", 4],
  ["status", "lukewarm", bad("unknown_option")],
  ["status", "won", "won"],
  ["phone", "5.5E+12", bad("scientific_notation")],
  ["phone", "+55 11 96123-4567", "+55 11 96123-4567"],
  ["first_touch", "31/02/2024", bad("not_a_datetime")],
  ["first_touch", "2024-02-30", bad("not_a_datetime")],
  ["first_touch", "2024-02-29T10:00:00-03:00", "2024-02-29T13:00:00.000+00:00"],
  ["first_touch", "31/12/99", "1999-12-31T00:00:00.000+00:00"],
  ["first_touch", "31/12/24", "2024-12-31T00:00:00.000+00:00"],
  ["do_not_contact", "maybe", bad("not_a_boolean")],
  ["do_not_contact", "yes", true],
  ["emails", "a@x.org;notmail", bad("not_an_email")],
  ["emails", '["a@x.org","b"]', bad("not_an_email")],
  ["emails", "a@x.org, b@x.org", ["a@x.org", "b@x.org"]],
  ["phones", "ask the desk", bad("not_a_phone")],
  ["phones", "+55 11 96123-4567; 030 901820", ["+55 11 96123-4567", "030 901820"]],
  ["tags", 'a "b",c\\d', ['a "b"', "c\\d"]],
  ["tags", '"Cust omer","VIP"', ["Cust omer", "VIP"]],
  ["tags", '"VIP"', ["VIP"]],
  ["tags", '"a, b";"c""d"', ["a, b", 'c"d']],
  ["tags", 'a "b","c"', ['a "b"', '"c"']],
  ["tags", JSON.stringify(tags(100)), tags(100)],
  ["tags", JSON.stringify(tags(101)), bad("too_many")],
  ["tags", tags(100).join(";"), tags(100)],
  ["tags", tags(101).join(";"), bad("too_many")],
  ["name", "x".repeat(501), bad("too_long")],
  ["name", "a\0b", bad("nul")],
  ["name", "a\ud83db", bad("lone_surrogate")],
];

test("a cell is read as its field means it, or fails with a code", () => {
  for (const [field, cell, expected] of CELLS)
    assert.deepEqual(read(field, cell), expected, `${field} ${cell}`);
});

test("a number that a spreadsheet rounded is refused in every spelling, among further phones too", () => {
  const phones = ["5.5E+12", "5,5E+12", "+5.5E+12", "5.5 E+12", "'5.5E+12", "'+5.5E+12", "+55 11 96123-4567"];
  for (const cell of phones) {
    const isWhole = cell.startsWith("+55 ");
    assert.deepEqual(read("phone", cell), isWhole ? cell : bad("scientific_notation"), cell);
    assert.deepEqual(read("phones", cell), isWhole ? [cell] : bad("scientific_notation"), cell);
  }
});

test("a day without a time starts at midnight of the zone, also where clocks leave midnight out", () => {
  const moments: [string, string][] = [
    ["2026-01-13", "2026-01-13T03:00:00.000+00:00"],
    ["2018-11-04", "2018-11-04T03:00:00.000+00:00"],
    ["2026-01-13 00:00", "2026-01-13T03:00:00.000+00:00"],
    ["13/01/2026", "2026-01-13T03:00:00.000+00:00"],
    ["0050-01-01", "0050-01-01T03:06:28.000+00:00"],
    ["2026-01-13T00:00:00Z", "2026-01-13T00:00:00.000+00:00"],
  ];
  for (const [cell, moment] of moments)
    assert.equal(read("first_touch", cell, { timezone: "America/Sao_Paulo" }), moment, cell);
});

test("a timestamp outside of the years 1 to 9999 is refused, and the edges are kept", () => {
  const refused = ["9999-12-31T23:59:59-12:00", "9999-12-31 23:59:59", "0001-01-01T00:00:00+12:00"];
  for (const cell of refused)
    assert.deepEqual(
      read("first_touch", cell, { timezone: "America/Sao_Paulo" }),
      bad("not_a_datetime"),
      cell,
    );
  const kept: [string, string][] = [
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000+00:00"],
    ["0099-12-31T23:59:59Z", "0099-12-31T23:59:59.000+00:00"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000+00:00"],
  ];
  for (const [cell, moment] of kept) assert.equal(read("first_touch", cell), moment);
});

test("decimals and days are read in the order that the column has", () => {
  assert.deepEqual(
    ["10,5", "1.234,5"].map((cell) => read("value", cell, { decimals: "comma" })),
    [10.5, 1234.5],
  );
  const day = "2024-12-31T00:00:00.000+00:00";
  assert.equal(read("first_touch", "31/12/2024", { dates: "dmy" }), day);
  assert.equal(read("first_touch", "12/31/2024", { dates: "mdy" }), day);
});
