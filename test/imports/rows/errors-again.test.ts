import assert from "node:assert/strict";
import { test } from "node:test";
import iconv from "iconv-lite";
import { bodyOf } from "../../api/support/v1.ts";
import { large } from "../../large.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { cellsOf } from "../support/plain-count.ts";
import { acted, sheetOf, sums, uploaded } from "../support/uploading.ts";

interface Failed {
  row: number;
  errors: { column: string; code: string; message: string }[];
}

/** A file with the fields of its columns by header. */
interface Sent {
  content: string | Buffer;
  type?: string;
  query?: string;
  mapping?: Record<string, unknown>;
}

/** Returns the failed rows of a file, and the file of them. */
async function failuresOf(key: KeyActor, the: World, { content, type, query, mapping }: Sent) {
  const made = await uploaded(the, key, content, {
    ...(type === undefined ? {} : { type }),
    ...(query === undefined ? {} : { query }),
  });
  if (mapping !== undefined)
    await bodyOf(await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, mapping));
  const { dry_run } = await acted(key, made.id, "dry-run");
  const { errors } = await bodyOf<{ errors: Failed[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors?limit=200`),
  );
  const back = await (await key.send("GET", `/api/v1/imports/${made.id}/errors.csv`)).arrayBuffer();
  await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/cancel`));
  return { counts: sums(dry_run ?? {}), errors, back: Buffer.from(back), columns: made.columns };
}

/** Asserts that all rows of a file of failed rows fail again as before, also a third time, and returns the faults. */
async function sameAgain(key: KeyActor, the: World, sent: Sent, about: string): Promise<string[]> {
  const first = await failuresOf(key, the, sent);
  assert.notEqual(first.errors.length, 0, about);
  const again = { content: first.back, ...(sent.mapping === undefined ? {} : { mapping: sent.mapping }) };
  const second = await failuresOf(key, the, again);
  const faults = ({ errors }: typeof first) => errors.map((failed) => failed.errors);
  assert.deepEqual(faults(second), faults(first), about);
  const count = first.errors.length;
  assert.deepEqual(second.counts, [count, 0, 0, 0, 0, count], about);
  const third = await failuresOf(key, the, { ...again, content: second.back });
  const text = ({ back }: typeof first) => withoutLines(back.toString("utf8"));
  assert.equal(text(third), text(second), about);
  return first.errors.flatMap(({ errors }) => errors.map(({ code }) => code));
}

/** The lines in `_row` are those of the file that was uploaded last. */
const withoutLines = (csv: string): string => {
  const [header = [], ...rows] = cellsOf(csv, ",");
  const at = header.indexOf("_row");
  return JSON.stringify([header, ...rows.map((cells) => cells.map((cell, i) => (i === at ? "" : cell)))]);
};

const HEADER = [
  "external_id",
  "email",
  "name",
  "score",
  "status",
  "phone",
  "first_touch",
  "do_not_contact",
  "emails",
];

/** A given mapping: what is no option fails, instead of being asked about. */
const PLAIN = { columns: Object.fromEntries(HEADER.map((name) => [name, name])) };

/** Rows with every kind of error, in texts that CSV files and spreadsheets treat specially. */
const ROWS: readonly string[][] = [
  ["good", "good@x.example", "Good", "1", "won", "+55 11 96123-4567", "2024-01-31", "yes", ""],
  ["long", "a@x.example", "Ana", "", "", "", "", "", "", "more", "", "=1+1"],
  ["short"],
  ["short2", "b@x.example", "Bo", "1", "won"],
  ["mail", "nobody", "=1+1", "", "", "", "", "", ""],
  ["score", "", "'=1+1", "much", "", "", "", "", ""],
  ["status", "", "''@x", "", "lukewarm", "", "", "", ""],
  ["phone", "", "\t=tab", "", "", "5.5E+12", "", "", ""],
  ["phone2", "", "-2+3", "", "", "no digits", "", "", ""],
  ["date", "", 'quote " and "two"', "", "", "", "31/02/2024", "", ""],
  ["flag", "", "two\nlines, and; more\ttabs|", "", "", "", "", "maybe", ""],
  ["list", "", "\ufffd Ação", "", "", "", "", "", "ok@x.example; not one"],
  ["several", "nobody", " spaces ", "much", "lukewarm", "x", "never", "maybe", ""],
  ["toolong", "", "x".repeat(501), "", "", "", "", "", ""],
  ["'=escaped", "nobody", "'+55 11 96123-4567", "", "", "", "", "", ""],
];
const CODES = [
  ...["column_count", "not_an_email", "not_a_number", "unknown_option", "scientific_notation", "not_a_phone"],
  ...["not_a_datetime", "not_a_boolean", "too_long"],
];

const csvOf = (rows: readonly (readonly string[])[], delimiter: string): string =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}\r\n`).join("");

large(
  "errors.csv that is uploaded again unchanged fails the same rows with the same errors, whatever the file was",
  async (t) => {
    await using the = await world();
    const key = await the.key(["leads:read", "leads:write"]);
    const latin = ROWS.map((row) => row.map((cell) => cell.replaceAll("\ufffd", "é")));
    const encodings: Record<string, (text: string) => Buffer> = {
      "utf-8": (text) => Buffer.from(text),
      "utf-16le": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
      "windows-1252": (text) => iconv.encode(text, "windows-1252"),
    };
    for (const [name, encode] of Object.entries(encodings))
      for (const delimiter of [",", ";", "\t", "|"]) {
        const about = `${name}, ${JSON.stringify(delimiter)}`;
        await t.test(about, async () => {
          const rows = name === "windows-1252" ? latin : ROWS;
          const content = encode(csvOf([HEADER, ...rows], delimiter));
          const codes = await sameAgain(key, the, { content, mapping: PLAIN }, about);
          assert.deepEqual([...new Set(codes)].sort(), [...CODES].sort(), about);
        });
      }
    await t.test("a spreadsheet", async () => {
      const rows = [HEADER, ...ROWS.filter((row) => !row.includes("\t=tab"))];
      await sameAgain(key, the, { content: sheetOf(rows), query: "?format=xlsx" }, "a spreadsheet");
    });
    await t.test("NDJSON", async () => {
      const objects = ROWS.filter((row) => row.length === HEADER.length).map((row) =>
        JSON.stringify(Object.fromEntries(HEADER.map((name, i) => [name, row[i]]))),
      );
      const lines = [
        ...objects,
        "{broken}",
        "[1]",
        '"text"',
        "=1+1",
        '{"external_id":"half","name":"\\ud83d"}',
      ];
      const sent = { content: `${lines.join("\n")}\n`, type: "application/x-ndjson" };
      const codes = await sameAgain(key, the, sent, "NDJSON");
      for (const code of ["not_json", "not_an_object", "lone_surrogate"])
        assert.ok(codes.includes(code), code);
    });
    await t.test("characters that cannot be stored", async () => {
      const content = "external_id,name,city\nn1,a\0b,Rio\nn2,\ufffd,c\0\nn3,a\0,b\0\nn4,ok,Rio\n";
      assert.deepEqual(await sameAgain(key, the, { content }, "NUL"), ["nul", "nul", "nul", "nul"]);
    });
    await t.test(
      "500 columns, and names that look like formulas, e-mail addresses or several columns",
      async () => {
        const names = ["external_id", "email", "=1", "'=1", "a@x.example", "p|q|r|s|t|u", "+55"];
        const header = [...names, ...Array.from({ length: 500 - names.length }, (_, i) => `c${i}`)];
        const mapping = {
          columns: { external_id: "external_id", email: "email", "=1": "city", "'=1": "state" },
        };
        const row = header.map((name) => (name === "email" ? "nobody" : "x"));
        const content = csvOf([header, row, row.slice(0, 3)], ";");
        await sameAgain(key, the, { content, query: "?header=true&delimiter=;", mapping }, "names");
      },
    );
    await t.test("values that the mapping replaces", async () => {
      const mapping = {
        columns: {
          Id: "external_id",
          Stage: { field: "status", values: { "=won": "won" }, prefix: "s:" },
          Mail: "email",
        },
      };
      const content = "Id,Stage,Mail\n1,=won,nobody\n2,s:=won,nobody\n3,lost,nobody\n";
      assert.equal(
        (await sameAgain(key, the, { content, mapping }, "values")).join(),
        "not_an_email,not_an_email,not_an_email",
      );
    });
  },
);

test("rows of errors.csv whose errors were corrected are imported", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const content =
    "external_id,name,city,email\n1,Ana\n2,Bo,Rio,b@x.example,more\n3,C\0y,Rio,\n4,Di,Rio,nobody\n";
  const { back } = await failuresOf(key, the, { content });
  const [header = [], short = [], long = [], nul = [], mail = []] = cellsOf(back.toString("utf8"), ",");
  const corrected = [
    short.map((cell, i) => (i === 2 ? "Recife" : cell)),
    long.slice(0, 8),
    nul.map((cell, i) => (i === 1 ? "Cy" : cell)),
    mail.map((cell, i) => (i === 3 ? "d@x.example" : cell)),
  ];
  // Without its reasons, a row is read as it is.
  const plain = ["5", "Eva", "", "", "", "", "", ""];
  const sent = await failuresOf(key, the, { content: csvOf([header, ...corrected, plain], ",") });
  assert.deepEqual(sent.errors, []);
  assert.deepEqual(sent.counts, [5, 5, 0, 0, 0, 0]);
  assert.deepEqual(
    sent.columns.map(({ name }) => name),
    ["external_id", "name", "city", "email"],
  );
  // A spreadsheet program fills every row up with blank cells.
  const wide = [header, short, long, nul, mail].map((row) =>
    Array.from({ length: 12 }, (_, i) => row[i] ?? ""),
  );
  assert.deepEqual((await failuresOf(key, the, { content: csvOf(wide, ";") })).counts, [4, 0, 0, 0, 0, 4]);
});
