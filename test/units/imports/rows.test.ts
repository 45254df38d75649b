import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportMapping } from "../../../src/contract/imports/import-mapping.ts";
import { ColumnWatch } from "../../../src/domain/imports/file/column-profile.ts";
import { planColumns } from "../../../src/domain/imports/mapping/column-plan.ts";
import { type ReadRow, rowReader } from "../../../src/domain/imports/mapping/row-reader.ts";
import { refused } from "../support/refused.ts";
import { TARGET } from "./support/target.ts";

/** Reads the records of a CSV with this header, one per line. */
function rowsOf(
  header: readonly string[],
  records: readonly (readonly string[])[],
  mapping: Partial<ImportMapping> = {},
  target = TARGET,
): ReadRow[] {
  const profiles = header.map((name, i) => {
    const watch = new ColumnWatch();
    for (const cells of records) watch.see(cells[i] ?? "");
    return watch.profile(name);
  });
  const whole: ImportMapping = {
    columns: Object.fromEntries(header.map((name) => [name, name])),
    ...mapping,
  };
  const reader = rowReader(header.length, planColumns(profiles, whole, target, "csv"), whole, target);
  return records.map((cells, i) => reader.read({ line: i + 2, cells: [...cells] }, i + 1));
}

/** Returns row, column and code of every error. */
const faultsOf = (rows: readonly ReadRow[]) =>
  rows.flatMap((row) =>
    row.kind === "bad" ? row.faults.map(({ row: line, column, code }) => [line, column, code]) : [],
  );

const kindsOf = (rows: readonly ReadRow[]) => rows.map(({ kind }) => kind);

test("a bad cell fails its row with line, column and code, and no other row", () => {
  const header = [
    ...["external_id", "email", "name", "score", "status", "phone", "first_touch", "do_not_contact"],
  ];
  const rows = rowsOf(header, [
    ["1", "nobody", "two", "1", "", "", "", ""],
    ["2", "a@x.org", "", "much", "", "", "", ""],
    ["3", "b@x.org", "", "", "lukewarm", "", "", ""],
    ["4", "c@x.org", "", "", "", "5.5E+12", "", ""],
    ["5", "d@x.org", "", "", "", "", "31/02/2024", ""],
    ["6", "e@x.org", "", "", "", "", "2024-02-30", "maybe"],
    ["7", "f@x.org", "", "", "", "", "", "", "extra"],
    ["8", "g@x.org", "Good", "4", "won", "+55 11 96123-4567", "2024-02-29T10:00:00-03:00", "yes"],
    ["", "", "", "", "", "", "", ""],
  ]);
  assert.deepEqual(kindsOf(rows), [...Array<string>(7).fill("bad"), "filled", "empty"]);
  assert.deepEqual(faultsOf(rows), [
    [2, "email", "not_an_email"],
    [3, "score", "not_a_number"],
    [4, "status", "unknown_option"],
    [5, "phone", "scientific_notation"],
    [6, "first_touch", "not_a_datetime"],
    [7, "first_touch", "not_a_datetime"],
    [7, "do_not_contact", "not_a_boolean"],
    [8, "", "column_count"],
  ]);
  const good = rows[7];
  assert.deepEqual(good?.kind === "filled" && Object.fromEntries(good.patch), {
    ...{ external_id: "8", email: "g@x.org", name: "Good", score: 4, status: "won" },
    ...{ phone: "+55 11 96123-4567", phone_e164: "+5511961234567" },
    ...{ first_touch: "2024-02-29T13:00:00.000+00:00", do_not_contact: true },
  });
});

test("a national phone number is understood in the project's country", () => {
  const rows = rowsOf(
    ["external_id", "phone"],
    [
      ["1", "030 901820"],
      ["2", "ask the desk on 3"],
    ],
    {},
    {
      ...TARGET,
      country: "DE",
    },
  );
  assert.deepEqual(
    rows.map((row) => row.kind === "filled" && row.patch.get("phone_e164")),
    ["+4930901820", null],
  );
});

test("a calendar fails the rows whose day and month are no date, alone", () => {
  const calendar = { field: "first_touch", day: "day", month: "month", first_year: 2026 };
  const dates: [day: string, month: string, date: string | undefined][] = [
    ["28", "2", "2026-02-28"],
    ["29", "2", undefined],
    ["31", "apr", undefined],
    ["0", "5", undefined],
    ["1.5", "5", undefined],
    ["2", "13", undefined],
    ["2", "0", undefined],
    ["2", "smarch", undefined],
    ["", "", undefined],
    ["31", "December", "2026-12-31"],
    ["1", "january", "2027-01-01"],
  ];
  const rows = rowsOf(
    ["external_id", "day", "month"],
    dates.map(([day, month], i) => [`${i}`, day, month]),
    { columns: { external_id: "external_id" }, calendar },
  );
  assert.deepEqual(
    rows.map((row) =>
      row.kind === "filled" ? String(row.patch.get("first_touch")).slice(0, 10) : undefined,
    ),
    dates.map(([, , date]) => date),
  );
});

test("calendars and events that leave the years 1 to 9999 fail their row alone", () => {
  const columns = { external_id: "external_id" };
  const calendar = { field: "first_touch", day: "day", month: "month", first_year: 9999 };
  const late = rowsOf(
    ["external_id", "day", "month"],
    [
      ["1", "31", "dec"],
      ["2", "1", "jan"],
    ],
    {
      columns,
      calendar,
    },
  );
  assert.deepEqual([kindsOf(late), faultsOf(late)], [["filled", "bad"], [[3, "day", "not_a_date"]]]);
  const rule = {
    type: "call.made",
    title: "Call",
    key: "{external_id}-{n}",
    times: "calls",
    last: "last_touch",
  };
  const early = rowsOf(
    ["external_id", "at", "calls"],
    [
      ["3", "2026-01-01", "1"],
      ["4", "2026-01-01", "900"],
    ],
    {
      columns: { ...columns, at: "last_touch" },
      events: [{ ...rule, hours_apart: 1e9 }],
    },
  );
  assert.deepEqual([kindsOf(early), faultsOf(early)], [["filled", "bad"], [[3, "calls", "not_a_datetime"]]]);
});

test("a row that came in before 1970 or in the future fails alone, and only where it is a lead", () => {
  const header = ["external_id", "created_at"];
  const records = [
    ["1", "1900-01-01T00:00:00Z"],
    ["2", "2026-06-01T12:00:00Z"],
    ["3", "2026-06-02T12:00:00Z"],
  ];
  const leads = rowsOf(header, records);
  assert.deepEqual(faultsOf(leads), [
    [2, "created_at", "too_early"],
    [4, "created_at", "in_future"],
  ]);
  assert.deepEqual(kindsOf(leads), ["bad", "filled", "bad"]);
  const dataset = { dataset: "ds_1", mode: "insert", headers: new Map() } as const;
  const rows = rowsOf(header, records, {}, { ...TARGET, rows: dataset });
  assert.deepEqual(kindsOf(rows), ["filled", "filled", "filled"]);
});

test("an event with a NUL in its text fails only its row", () => {
  const at = "2026-01-02T03:04:05Z";
  const rows = rowsOf(
    ["external_id", "at", "note"],
    [
      ["1", at, "a\0b"],
      ["2", at, "fine"],
    ],
    {
      columns: { external_id: "external_id", at: "first_touch" },
      events: [{ type: "note.made", title: "{note}", key: "{external_id}", last: "first_touch" }],
    },
  );
  assert.deepEqual([kindsOf(rows), faultsOf(rows)], [["bad", "filled"], [[2, "", "nul"]]]);
});

test("a mapping that names an unknown column or field, or fills one twice, is refused", () => {
  const told = (columns: Record<string, string>) =>
    refused(() => rowsOf(["a", "b"], [["1", "2"]], { columns }));
  const codes = [{ c: "name" }, { a: "shoe" }, { a: "name", b: "name" }].map((columns) => {
    const { kind, code } = told(columns as Record<string, string>);
    return [kind, code];
  });
  assert.deepEqual(codes, [
    ["malformed", "unknown_column"],
    ["malformed", "unknown_field"],
    ["malformed", "field_twice"],
  ]);
});
