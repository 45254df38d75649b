import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileChoices } from "../../../src/domain/imports/file/shape/import-file.ts";
import { readFile } from "./support/read-file.ts";

const none = () => false;

const LINKEDIN = `Notes:
"When exporting your connection data, you may notice that some of the email addresses are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
Marta,Reyes,https://social.example/in/marta,marta@li-a.example,Norte Obras,Head of Sales,14 Feb 2025
Tom,"O'Neil, MBA",https://social.example/in/tom,,Field & Co,Partner,02 Nov 2023
`.replaceAll("\n", "\r\n");

const TITLES = `
Lista de leads · outubro

Nome;E-mail;Telefone;Celular
Bia;bia@tr-a.example;(11) 3344-1122;(11) 98765-3300
`;

/** A file, the line and first names of its header, how many records it has, and the lines that may be the header. */
type Case = [
  about: string,
  text: string,
  header: [line: number | null, names: string],
  records: number,
  doubts?: number[],
];

const CASES: readonly Case[] = [
  ["LinkedIn's notes", LINKEDIN, [4, "First Name,Last Name,URL"], 2, [4, 1, 2]],
  ["a title between blank lines", TITLES, [4, "Nome,E-mail,Telefone,Celular"], 1, [4, 2]],
  [
    "a report's name, dates and filter",
    "Report: Leads\nDate range:,2026-01-01,2026-01-31\nFilter: open\n\nName,Email,Phone,City\nAna,ana@x.example,,\n",
    [5, "Name,Email,Phone,City"],
    1,
    [5, 2, 1, 3],
  ],
  [
    "a title with the delimiter in it",
    'Generated on 2026-01-01, by Ana\nName,Email,Phone,City\nAna,ana@x.example,,"Porto"\n',
    [2, "Name,Email,Phone,City"],
    1,
    [2, 1],
  ],
  [
    "a title with another delimiter in it",
    "Leads, October\nNome;E-mail;Telefone\nBia;bia@x.example;\nRui;;\n",
    [2, "Nome,E-mail,Telefone"],
    2,
    [2, 1],
  ],
  ["two titles", "Leads\nAcme Inc\nName\tEmail\tCity\nAna\t\tPorto\n", [3, "Name,Email,City"], 1, [3, 1, 2]],
  [
    "titles of groups of columns",
    "Contact,,,Address,,\nName,Email,Phone,Street,City,Zip\nAna,ana@x.example,,Rua 1,Porto,4000\n",
    [2, "Name,Email,Phone"],
    1,
    [2, 1],
  ],
  [
    "titles of groups that repeat in each column",
    "Contact,Contact,Contact,Address,Address\nName,Email,Phone,Street,City\nAna,ana@x.example,,Rua 1,Porto\n",
    [2, "Name,Email,Phone"],
    1,
    [2, 1],
  ],
  [
    "titles of most columns",
    "Name,Contact,,Address,\n,Email,Phone,Street,City\nAna,ana@x.example,,Rua 1,Porto\n",
    [2, "Column 1,Email,Phone,Street,City"],
    1,
    [2, 1],
  ],
  ["a title above a header without rows", "Leads\n\nName,Email,City\n", [3, "Name,Email,City"], 0, [3, 1]],
  [
    "names that only the form has",
    "q1,q2,q3\nName,Email,City\nAna,a@x.example,\n",
    [2, "Name,Email,City"],
    1,
    [2, 1],
  ],
  ["the first row", "Name,Email\nAna,ana@x.example\n", [1, "Name,Email"], 1],
  ["the first row with one name", "Name\nAna\nBo\n", [1, "Name"], 2],
  [
    "the first row with one name above wider rows",
    "Name,,,\nAna,Bo,Cy,Di\nEla,Fay,Gil,Hal\n",
    [1, "Name"],
    2,
    [1, 2],
  ],
  ["unknown names", "Foo,Bar,Baz\nAna,Bo,Cy\nDi,Ela,Fay\n", [1, "Foo,Bar,Baz"], 2],
  ["years as names", "Name,2024,2025\nAna,1,2\n", [1, "Name,2024,2025"], 1],
  ["a name twice", "Email,Email,Foo\na@x.example,,x\nnone,none,none\n", [1, "Email,Email (2),Foo"], 2],
  [
    "a row like the header",
    "Name,Email\nAna,ana@x.example\nName,Email\nBo,bo@x.example\n",
    [1, "Name,Email"],
    3,
  ],
  [
    "an e-mail address in the first row",
    "Ana,ana@x.example\nBo,bo@x.example\n",
    [null, "Column 1,Column 2"],
    2,
  ],
  [
    "an e-mail address above names",
    "Ana,ana@x.example,Porto\nName,Email,City\n",
    [null, "Column 1,Column 2,Column 3"],
    2,
    [2],
  ],
  [
    "names of a program above labels",
    "email,phone,city\nE-mail,Telefone,City\na@x.example,,Porto\n",
    [1, "email,phone,city"],
    2,
    [1, 2],
  ],
  ["a list with commas", "Place\nA, b, c\nD, e, f\n\nG, h, i\n", [1, "Place"], 4],
  ["nothing but data below blank lines", "\n\nAna,Acme\n", [3, "Ana,Acme"], 0],
];

for (const [about, text, [line, names], count, doubts] of CASES)
  test(`the header of a file with ${about} is in line ${line}`, async () => {
    const { shape, records, doubts: found } = await readFile(text);
    assert.deepEqual([shape.headerRow, records.length], [line, count]);
    assert.ok(shape.header.join().startsWith(names), shape.header.join());
    assert.deepEqual(
      found.headers?.map((row) => row.line),
      doubts,
    );
  });

test("a header is found below titles by its contrast to the data, if no name is known", async () => {
  for (const text of [LINKEDIN, TITLES]) {
    const { shape } = await readFile(text, {}, { known: none });
    assert.equal(shape.headerRow, 4);
  }
  const texts = "Kund:innen\n\nVorname;Nachname;Ort\nAna;Sol;Porto\nBo;Lua;Faro\n";
  assert.equal((await readFile(texts, {}, { known: none })).shape.headerRow, 3);
  const close = "Kund:innen;;\nVorname;Nachname;Ort\nAna;Sol;Porto\nBo;Lua;Faro\n";
  const { shape, doubts } = await readFile(close, {}, { known: none });
  assert.deepEqual([shape.headerRow, doubts.headers?.map(({ line }) => line)], [1, [2, 1].sort()]);
});

const FILE = "Leads of ana@x.example\n\nNotes,City\nName,Email\nAna,ana@x.example\n\nBo,bo@x.example\n";

/** Choices for the file above, its header, and the lines of its records. */
const CHOSEN: readonly [choices: FileChoices, header: number | null, lines: number[], doubts?: number[]][] = [
  [{ header_row: 4 }, 4, [5, 6, 7], [4, 3, 1]],
  [{ header_row: 3 }, 3, [4, 5, 6, 7], [3, 1]],
  [{ header_row: 1, delimiter: "," }, 1, [2, 3, 4, 5, 6, 7], [1, 3]],
  [{ header_row: 7 }, 7, [], [7, 3, 1]],
  [{ header_row: 4, header: true }, 4, [5, 6, 7], [4, 3, 1]],
  [{ header_row: 4, header: false }, null, [1, 2, 3, 4, 5, 6, 7]],
  [{ header: false }, null, [1, 2, 3, 4, 5, 6, 7]],
];

for (const [choices, header, lines, doubts] of CHOSEN)
  test(`a file is read with ${JSON.stringify(choices)}`, async () => {
    const { shape, records, doubts: found } = await readFile(FILE, choices);
    assert.equal(shape.headerRow, header);
    assert.deepEqual(
      records.map(({ line }) => line),
      lines,
    );
    assert.deepEqual(
      found.headers?.map(({ line }) => line),
      doubts,
    );
  });

test("the first row is the header if the file must have one, whatever is in it", async () => {
  const { shape } = await readFile("ana@x.example,Ana\nbo@x.example,Bo\n", { header: true });
  assert.deepEqual([shape.headerRow, shape.header], [1, ["ana@x.example", "Ana"]]);
  assert.equal((await readFile(TITLES, { header: true })).shape.headerRow, 4);
});

test("the delimiter is that of the chosen header's line", async () => {
  const { shape } = await readFile("a,b,c\nd,e\nName;Email\nAna;x\n", { header_row: 3 });
  assert.deepEqual([shape.delimiter, shape.header], [";", ["Name", "Email"]]);
});

test("a chosen header in a blank line, inside a record or below the file is refused", async () => {
  for (const [row, text] of [
    [2, FILE],
    [9, FILE],
    [1, "\nName\n"],
    [2, '"a\nb",c\nName,Email\n'],
  ] as const)
    await assert.rejects(readFile(text, { header_row: row }), { code: "no_header_row" });
});

test("a header below the first fifty records is found only by choice", async () => {
  const text = `${"Remark\n".repeat(60)}Name,Email\nAna,ana@x.example\n`;
  assert.equal((await readFile(text)).shape.headerRow, 1);
  const { shape, records } = await readFile(text, { header_row: 61 });
  assert.deepEqual([shape.headerRow, records.length], [61, 1]);
});

test("a file of failed rows keeps its first row as the header", async () => {
  const text = "Foo,_row,_column,_code,_message\nName,2,Foo,not_a_number,is not one\nEmail,3,,,\n";
  const { shape, records, doubts } = await readFile(text);
  assert.deepEqual([shape.headerRow, shape.header, shape.reasons], [1, ["Foo"], true]);
  assert.deepEqual([records.map(({ cells }) => cells), doubts], [[["Name"], ["Email"]], {}]);
});

test("cells of doubtful headers are shortened, and at most five rows are shown", async () => {
  const title = `${"Long ".repeat(40)}\n`;
  const names = ["Name", "Email", ...Array.from({ length: 20 }, (_, i) => `Foo ${i}`)];
  const { doubts } = await readFile(`${title.repeat(9)}${names.join()}\n`);
  assert.deepEqual([doubts.headers?.length, doubts.headers?.[0]?.line], [5, 10]);
  for (const { cells } of doubts.headers ?? [])
    assert.ok(cells.length <= 12 && cells.every((cell) => cell.length <= 60));
});

test("rows of a sheet are numbered as there, whatever line breaks the cells above have", async () => {
  const text = '"Leads\nof October",,\n"","",""\nName,Email,City\nAna,"a\nb",\n""\n"Total",1,\n';
  const { shape, records, doubts } = await readFile(text, {}, { sheet: true });
  assert.deepEqual([shape.headerRow, shape.lastRow], [3, 4]);
  assert.deepEqual(
    records.map(({ line }) => line),
    [4, 5, 6],
  );
  assert.deepEqual(doubts.footer, [{ line: 6, cells: ["Total", "1", ""] }]);
});

test("of a header's cells that are merged over two rows of a sheet, the last row is the header", async () => {
  const text = "Name,Email,City\nName,Email,City\nAna,,Porto\n";
  assert.equal((await readFile(text, {}, { sheet: true })).shape.headerRow, 2);
  const groups = "Name,Address,Address\nName,Street,City\nAna,Rua 1,Porto\n";
  assert.equal((await readFile(groups, {}, { sheet: true })).shape.headerRow, 2);
  assert.equal((await readFile(text)).shape.headerRow, 1);
});
