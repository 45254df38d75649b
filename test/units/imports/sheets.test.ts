import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectContent } from "../../../src/domain/imports/file/inspect-file.ts";
import { recordsOf } from "../../../src/domain/imports/file/open-import-file.ts";
import { sheetAsCsv } from "../../../src/domain/imports/file/sheet/sheet-as-csv.ts";
import { fillMerged } from "../../../src/domain/imports/file/sheet/sheet-merges.ts";
import { type MergedSheet, mergedSheets } from "./support/merged-sheet.ts";
import { all, inPieces, isKnown } from "./support/read-file.ts";

/** Returns the rows of a spreadsheet's sheet as CSV, and its name. */
async function csvOf(file: Buffer, sheet?: string): Promise<[name: string | undefined, csv: string]> {
  let name: string | undefined;
  const chunks = await all(
    sheetAsCsv(inPieces(file, 10_000), sheet, (found) => {
      name = found.sheet;
    }),
  );
  return [name, Buffer.concat(chunks).toString()];
}

const LEADS: MergedSheet = {
  rows: [
    ["Name", "Email"],
    ["Ana", "ana@x.example"],
  ],
};
const EMPTY: MergedSheet = { rows: [] };
const COVER: MergedSheet = {
  rows: [["Leads of October"], [], ["Ask the sales team before you change anything."]],
};

/** Sheets, and the one that is read. */
const CHOICES: readonly [sheets: Record<string, MergedSheet>, read: string, chart?: boolean][] = [
  [{ First: LEADS, Second: LEADS }, "First"],
  [{ "A > B": EMPTY, "C &amp; D": LEADS }, "C & D"],
  [{ First: EMPTY, Second: LEADS }, "Second"],
  [{ First: COVER, Second: EMPTY, Third: LEADS, Fourth: LEADS }, "Third"],
  [{ First: { rows: [["Name"], ["Ana"], ["Bo"]] }, Second: LEADS }, "First"],
  [{ First: { rows: [["Leads"]] }, Second: LEADS }, "Second"],
  [{ First: { rows: [[""], ["", ""]] }, Second: LEADS }, "Second"],
  [{ First: EMPTY, Second: COVER, Third: COVER }, "Second"],
  [{ First: EMPTY, Second: EMPTY }, "First"],
  [{ First: EMPTY, Second: LEADS }, "Second", true],
];

for (const [sheets, expected, chart] of CHOICES)
  test(`of the sheets ${JSON.stringify(sheets)} the ${expected} is read`, async () => {
    const [name] = await csvOf(mergedSheets(sheets, chart));
    assert.equal(name, expected);
  });

test("a sheet that is named is read, whatever is in it", async () => {
  const file = mergedSheets({ First: LEADS, Second: COVER });
  const [name, csv] = await csvOf(file, "Second");
  assert.deepEqual([name, csv.split("\n")[0]], ["Second", "Leads of October"]);
  await assert.rejects(csvOf(file, "Third"), { code: "unreadable_sheet" });
});

test("merged cells are filled with their value, within the rows and columns that have cells", async () => {
  const rows = [
    ["Leads", "", "", ""],
    ["Name", "Contact", "", ""],
    ["", "Email", "Phone", "City"],
    ["Ana", "ana@x.example", "", "Porto"],
    ["Bo", "bo@x.example", "", ""],
  ];
  const merges = ["A1:H1", "A2:A3", "B2:D2", "D4:D9", "C4:C5", "XFD1:XFD2", "A7:B8"];
  const [, csv] = await csvOf(mergedSheets({ Leads: { rows, merges } }));
  assert.deepEqual(csv.trimEnd().split("\n"), [
    "Leads,Leads,Leads,Leads",
    "Name,Contact,Contact,Contact",
    "Name,Email,Phone,City",
    "Ana,ana@x.example,,Porto",
    "Bo,bo@x.example,,Porto",
  ]);
});

test("merged cells are found at the end of a long sheet, each once", async () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => [i % 2 === 0 ? `Person ${i}` : "", `City ${i}`]);
  const merges = Array.from({ length: 1_500 }, (_, i) => `A${i * 2 + 1}:A${i * 2 + 2}`);
  const [, csv] = await csvOf(mergedSheets({ Leads: { rows, merges } }));
  const lines = csv.trimEnd().split("\n");
  assert.deepEqual([lines[1], lines[2_999]], ["Person 0,City 1", "Person 2998,City 2999"]);
});

test("cells merged over more than a thousand rows stay blank, and no more than 200,000 are filled", () => {
  const table = (height: number, width: number) =>
    Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => (x + y === 0 ? "a" : null)),
    );
  const filled = (rows: (string | null)[][]) => rows.flat().filter((cell) => cell !== null).length;
  for (const [bottom, count] of [
    [999, 1_000],
    [1_000, 1],
  ] as const) {
    const rows = table(1_200, 1);
    fillMerged(rows, [{ top: 0, left: 0, bottom, right: 0 }]);
    assert.equal(filled(rows), count);
  }
  const wide = table(1_000, 300);
  fillMerged(wide, [{ top: 0, left: 0, bottom: 999, right: 299 }]);
  assert.equal(filled(wide), 200_001);
});

test("the header, the rows and the footer of a sheet are found, and numbered as there", async () => {
  const rows = [
    ["Leads of October", "", "", ""],
    [],
    ["Contact", "", "Address", ""],
    ["Name", "Email", "Street", "City"],
    ["Ana", "ana@x.example", "Rua 1&#10;2", "Porto"],
    ["Bo", "bo@x.example", "", "Faro"],
    [],
    ["Total: 2", "", "", ""],
  ];
  const file = mergedSheets({ Cover: COVER, Leads: { rows, merges: ["A1:D1", "A3:B3", "C3:D3", "A8:D8"] } });
  const { shape, doubts, records, columns } = await inspectContent(
    inPieces(file, 10_000),
    {},
    {
      ...{ sheet: true, whole: false, isKnown },
    },
  );
  assert.deepEqual([shape.format, shape.sheet, shape.sheets], ["xlsx", "Leads", ["Cover", "Leads"]]);
  assert.deepEqual([shape.headerRow, shape.lastRow, records], [4, 6, 4]);
  assert.deepEqual(
    columns.map(({ name, filled }) => [name, filled]),
    [
      ...[
        ["Name", 2],
        ["Email", 2],
        ["Street", 1],
        ["City", 2],
      ],
    ],
  );
  assert.deepEqual(
    doubts.headers?.map(({ line }) => line),
    [4, 3, 1],
  );
  assert.deepEqual(
    doubts.footer?.map(({ line }) => line),
    [8],
  );
  const again = await all(recordsOf(sheetAsCsv(inPieces(file, 10_000), shape.sheet), shape));
  assert.deepEqual(
    again.map(({ line, left }) => [line, left]),
    [
      [5, undefined],
      [6, undefined],
      [7, undefined],
      [8, true],
    ],
  );
});

const page = "<!DOCTYPE html>\n<html><body><table><tr><td>email</td></tr></table></body></html>";
/** Files that are no tables, and the code of the refusal. */
const FOREIGN: readonly [about: string, file: string | Buffer, code: string][] = [
  ["a web page", page, "web_page"],
  ["a web page in UTF-16", Buffer.from(`\ufeff${page}`, "utf16le"), "web_page"],
  [
    "a web page with a mark, a comment and blank lines",
    `\ufeff\n<!-- saved -->\n\n<HTML lang="en">`,
    "web_page",
  ],
  ["a web page in XML", `<?xml version="1.0"?>\n${page}`, "web_page"],
  ["a table of a web page", "<table><tr><td>email</td></tr></table>", "web_page"],
  ["an XML spreadsheet", '<?xml version="1.0"?>\n<Workbook></Workbook>', "not_a_table"],
  ["a PDF", "%PDF-1.7\n", "not_a_table"],
  ["a text document", "{\\rtf1\\ansi Name}", "not_a_table"],
  ["an old spreadsheet", Buffer.from("d0cf11e0a1b11ae10000", "hex"), "old_spreadsheet"],
];

for (const [about, file, code] of FOREIGN)
  test(`${about} is refused by its name, as a text and as a spreadsheet`, async () => {
    for (const sheet of [false, true]) {
      const content = { sheet, whole: false };
      await assert.rejects(inspectContent(inPieces(file), {}, content), { code, kind: "unprocessable" });
    }
  });

test("a table with a web page in a cell is a table", async () => {
  const { records } = await inspectContent(
    inPieces("Page,Name\n<html>,Ana\n"),
    {},
    { sheet: false, whole: false },
  );
  assert.equal(records, 1);
});
