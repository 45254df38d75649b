import assert from "node:assert/strict";
import { test } from "node:test";
import { writer } from "../api/support/writing.ts";
import { world } from "../world.ts";
import { countsOf, importText, leadsOf } from "./support/importing.ts";
import { acted, send, sheetOf, sums, uploaded } from "./support/uploading.ts";

test("comma, semicolon and tab are recognised by the header, with or without a byte order mark", async () => {
  await using the = await world();
  for (const delimiter of [",", ";", "\t"]) {
    const cell = `"x,;\t${delimiter.charCodeAt(0)}"`;
    const file = `\uFEFFexternal_id${delimiter}"name"\n1${delimiter}${cell}\n`;
    const report = await importText(the, file);
    assert.deepEqual([report.rows, report.failed, report.skippedColumns], [1, 0, []]);
    assert.equal((await leadsOf(the))[0]?.name, `x,;\t${delimiter.charCodeAt(0)}`);
  }
});

test("unknown headers are skipped and named, and custom fields are recognised by their key", async () => {
  await using the = await world();
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'Plan', 'text')",
    [the.project.id],
  );
  const file = "External ID,First Name,Shoe size,custom.plan,custom.nothing,first_name\n1,Ana,38,gold,x,Bo\n";
  const report = await importText(the, file);
  assert.deepEqual(report.skippedColumns, ["Shoe size", "custom.nothing", "first_name"]);
  const [lead] = await leadsOf(the);
  assert.deepEqual([lead?.first_name, lead?.custom], ["Ana", { plan: "gold" }]);
});

test("headers that are special words in JavaScript are headers like others: named, mapped, read", async () => {
  await using the = await world();
  const key = await writer(the);
  const file = "__proto__,constructor,toString,email\nAna,Acme,x,a@example.org\n";
  const { id, mapping, columns } = await uploaded(the, key, file);
  assert.deepEqual(Object.entries(mapping.columns), [["email", "email"]]);
  assert.deepEqual(
    columns.map(({ name }) => name),
    ["__proto__", "constructor", "toString", "email"],
  );
  const chosen = '{"columns":{"__proto__":"name","constructor":"company","email":"email"}}';
  assert.equal((await key.send("PUT", `/api/v1/imports/${id}/mapping`, chosen)).status, 200);
  await acted(key, id, "commit");
  const [lead] = await leadsOf(the);
  assert.deepEqual([lead?.name, lead?.company, lead?.email], ["Ana", "Acme", "a@example.org"]);
});

test("empty rows are skipped and counted, and rows are numbered by their physical line", async () => {
  await using the = await world();
  const file = 'external_id,name,score\n\n1,"a\n\nb",x\n,,\n2,c,y\n';
  const report = await importText(the, file);
  assert.deepEqual(countsOf(report), [4, 0, 0, 0, 2, 2]);
  assert.deepEqual(
    report.failures.map(({ row }) => row),
    [3, 7],
  );
});

test("a file that is not UTF-8, has no header or an open quote is refused with a reason", async () => {
  await using the = await world();
  const refused = (text: string | Buffer, code: string) => assert.rejects(importText(the, text), { code });
  await refused(
    Buffer.concat([Buffer.from("external_id,name\n1,Zoë\n2,Zo"), Buffer.from([0xeb, 10])]),
    "not_utf8",
  );
  await refused("", "empty_file");
  await refused("shoe,size\n1,2\n", "no_columns");
  await refused('external_id,name\n1,"open\n2,x\n', "unreadable_csv");
  assert.equal((await leadsOf(the)).length, 0);
});

test("a spreadsheet is recognised by its content, whatever its content type, and on the command line too", async () => {
  await using the = await world();
  const key = await writer(the);
  const sheet = sheetOf([
    ["external_id", "name"],
    ["1", "Ana\nB"],
    ["2", "x".repeat(501)],
  ]);
  for (const type of ["text/csv", "application/octet-stream", "application/x-ndjson"]) {
    const made = await uploaded(the, key, sheet, { type });
    assert.deepEqual([made.file.format, made.file.sheet, made.file.rows], ["xlsx", "Leads", 2]);
  }
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  assert.equal((await uploaded(the, key, sheet, { type })).file.name, "upload.xlsx");
  assert.equal((await uploaded(the, key, "external_id\n1\n")).file.name, "upload");
  const report = await importText(the, sheet);
  assert.deepEqual(countsOf(report), [2, 1, 0, 0, 0, 1]);
  assert.deepEqual(
    report.failures.map(({ row, code }) => [row, code]),
    [[3, "too_long"]],
  );
  const other = Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(100, "x")]);
  assert.equal((await send(the, key, other)).status, 422);
  await assert.rejects(importText(the, other), { code: "unreadable_sheet" });
});

test("lines of JSON are recognised by their content in a file that is called CSV, and a given format counts more than the content type", async () => {
  await using the = await world();
  const key = await writer(the);
  const lines = '{"external_id":"1","name":"Ana"}\n';
  const csv = "external_id,name\n1,Ana\n";
  const cases: [file: string, sending: { type: string; query?: string }, format: string][] = [
    [lines, { type: "text/csv" }, "ndjson"],
    [lines, { type: "application/octet-stream" }, "ndjson"],
    [lines, { type: "application/x-ndjson" }, "ndjson"],
    [csv, { type: "application/octet-stream" }, "csv"],
    [csv, { type: "application/x-ndjson", query: "?format=csv" }, "csv"],
  ];
  for (const [file, sending, format] of cases) {
    const { file: read, columns } = await uploaded(the, key, file, sending);
    const names = columns.map(({ name }) => name);
    assert.deepEqual([read.format, names], [format, ["external_id", "name"]], JSON.stringify(sending));
  }
});

test("empty lines and Excel's sep= above the header are skipped, and rows keep their physical lines", async () => {
  await using the = await world();
  const key = await writer(the);
  const above: [string, number | null][] = [
    ["\n\r\n  \n", 4],
    ["sep=;\r\n", 2],
    ["SEP=;\n\n", 3],
    ['\n"sep=;"\n', 3],
    [";;\n", 2],
  ];
  for (const [text, line] of above) {
    const made = await uploaded(the, key, `${text}external_id;score\n\n1,5;x\n`);
    assert.deepEqual([made.file.header_row, made.file.delimiter, made.file.rows], [line, ";", 2], text);
    const done = await acted(key, made.id, "commit");
    assert.deepEqual(sums(done), [2, 0, 0, 0, 1, 1]);
    const errors = await key.send("GET", `/api/v1/imports/${made.id}/errors`);
    const { errors: rows } = (await errors.json()) as { errors: { row: number }[] };
    assert.deepEqual(
      rows.map(({ row }) => row),
      [Number(line) + 2],
    );
  }
  const unnamed = await uploaded(the, key, "sep=;\n\nAna;ana@example.org\n");
  assert.deepEqual([unnamed.file.header_row, unnamed.file.rows, unnamed.columns.length], [null, 1, 2]);
  await key.send("PUT", `/api/v1/imports/${unnamed.id}/mapping`, { columns: { "Column 2": "email" } });
  assert.deepEqual(sums(await acted(key, unnamed.id, "commit")), [1, 1, 0, 0, 0, 0]);
  const sheet = sheetOf([[], ["", ""], ["external_id", "score"], ["1", "x\ny"], ["2", "y"]]);
  const report = await importText(the, sheet);
  assert.deepEqual(
    report.failures.map(({ row }) => row),
    [4, 5],
  );
  assert.equal((await send(the, key, "\n\nsep=;\n")).status, 422);
});
