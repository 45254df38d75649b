import assert from "node:assert/strict";
import { test } from "node:test";
import iconv from "iconv-lite";
import { bodyOf, refusalOf } from "../api/support/v1.ts";
import { COMPANIES, keeper } from "../datasets/support/dataset.ts";
import { world } from "../world.ts";
import { acted, type ImportBody, sheetOf, sums, uploaded } from "./support/uploading.ts";

interface Documented {
  examples: Record<string, { value: object }>;
}

test("a file that was read wrongly is re-read with other options without another upload", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const made = await uploaded(
    the,
    key,
    iconv.encode("Nome;Cidade\nJoão, o velho;São Paulo\n", "windows-1252"),
    {
      query: "?encoding=utf-16le&delimiter=%7C&header=false",
    },
  );
  assert.equal(made.file.encoding, "utf-16le");
  const path = `/api/v1/imports/${made.id}/file`;
  const read = await bodyOf<ImportBody>(await key.send("PUT", path, {}));
  assert.deepEqual(
    [read.file.encoding, read.file.delimiter, read.file.header_row, read.file.rows, read.mapping.columns],
    ["windows-1252", ";", 1, 1, { Nome: "name", Cidade: "city" }],
  );
  assert.deepEqual(
    (read.columns as { guess?: unknown }[]).map(({ guess }) => guess),
    [
      { field: "name", by: "words" },
      { field: "city", by: "words" },
    ],
  );
  const bare = await bodyOf<ImportBody>(await key.send("PUT", path, { header: false, preset: "none" }));
  assert.deepEqual([bare.file.rows, bare.columns[0]?.name, bare.mapping.columns], [2, "Column 1", {}]);
  const refusals: [object, number, string][] = [
    [{ format: "xlsx" }, 400, "not_a_sheet"],
    [{ preset: "abacus" }, 400, "unknown_preset"],
    [{ encoding: "klingon" }, 400, "not_in_list"],
  ];
  for (const [body, status, code] of refusals) {
    const refused = await refusalOf(await key.send("PUT", path, body));
    assert.equal(refused.status, status);
    if (code !== "not_in_list") assert.equal(refused.code, code);
  }
  await bodyOf(await key.send("PUT", path, {}));
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
  assert.deepEqual((await refusalOf(await key.send("PUT", path, {}))).code, "wrong_state");
});

test("each documented way to read a file again does what its name says", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const path = "/api/v1/imports/{id}/file";
  const { paths } = (await (await fetch(`${the.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, { put: { requestBody: { content: Record<string, Documented> } } }>;
  };
  const examples = paths[path]?.put.requestBody.content["application/json"]?.examples ?? {};
  const { id } = await uploaded(the, key, iconv.encode("Nome;Cidade\nJoão;São Paulo\n", "windows-1252"));
  const readings: [example: string, encoding: string, delimiter: string, headerRow: number | null][] = [
    ["encoding", "windows-1252", ";", 1],
    ["no header", "windows-1252", ";", null],
  ];
  assert.deepEqual(
    Object.keys(examples),
    readings.map(([name]) => name),
  );
  for (const [name, ...expected] of readings) {
    const body = examples[name]?.value ?? {};
    const { file } = await bodyOf<ImportBody>(await key.send("PUT", path.replace("{id}", id), body));
    assert.deepEqual([file.encoding, file.delimiter, file.header_row], expected, name);
  }
});

test("of a spreadsheet with several sheets the named one is read, and all are listed", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const file = sheetOf([["Name"], ["Ana"]], {
    "Old & <new>": [
      ["Name", "Company"],
      ["Bo", "Acme"],
      ["Cy", ""],
    ],
  });
  const query = "?file_name=a.xlsx";
  const first = await uploaded(the, key, file, { type: "application/octet-stream", query });
  assert.deepEqual(
    [first.file.sheet, first.file.sheets, first.file.rows],
    ["Leads", ["Leads", "Old & <new>"], 1],
  );
  const named = `${query}&sheet=${encodeURIComponent("Old & <new>")}`;
  const second = await uploaded(the, key, file, { type: "application/octet-stream", query: named });
  assert.deepEqual([second.file.sheet, second.file.rows, second.columns.length], ["Old & <new>", 2, 2]);
  const headless = await bodyOf<ImportBody>(
    await key.send("PUT", `/api/v1/imports/${second.id}/file`, { header: false }),
  );
  assert.deepEqual(
    [headless.file.format, headless.file.sheet, headless.file.rows],
    ["xlsx", "Old & <new>", 3],
  );
});

test("errors are counted by kind, the rows of a kind listed, and the fields that a column may fill reported", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const rows = ["a@x.org,1", "bad,x", "b@x.org,x", "A@x.org,2", "worse,3", "b@x.org,7,"];
  const made = await uploaded(the, key, `email,score\n${rows.join("\n")}\n`);
  const dry = await acted(key, made.id, "dry-run");
  assert.deepEqual(sums(dry.dry_run ?? {}), [6, 2, 1, 0, 0, 3]);
  assert.equal(dry.dry_run?.repeated, 1);
  const { kinds } = await bodyOf<{ kinds: Record<string, unknown>[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors/kinds`),
  );
  assert.deepEqual(
    kinds.map(({ column, code, rows: count, first_row: row }) => [column, code, count, row]),
    [
      ["email", "not_an_email", 2, 3],
      ["score", "not_a_number", 2, 3],
    ],
  );
  const page = async (query: string) =>
    await bodyOf<{ errors: { row: number }[]; next_cursor: string | null }>(
      await key.send("GET", `/api/v1/imports/${made.id}/errors?${query}`),
    );
  const first = await page("code=not_an_email&column=email&limit=1");
  const next = await page(`code=not_an_email&column=email&limit=1&cursor=${first.next_cursor}`);
  assert.deepEqual([first.errors[0]?.row, next.errors[0]?.row, next.next_cursor], [3, 6, null]);
  assert.equal((await page("code=nothing")).errors.length, 0);
  const { fields } = await bodyOf<{ fields: { name: string; type: string }[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/fields`),
  );
  assert.ok(fields.some(({ name, type }) => name === "score" && type === "number"));
  assert.equal(fields.at(-1)?.name, "id");
});

test("a dataset's file is re-read for the dataset", async () => {
  await using the = await world();
  const key = await the.key(["datasets:read", "datasets:write", "datasets:import"]);
  await bodyOf(await (await keeper(the)).send("POST", "/api/v1/datasets", COMPANIES), 201);
  const made = await uploaded(the, key, "domain|name\nx.org|X\n", {
    query: "?dataset=companies&delimiter=%2C",
  });
  assert.deepEqual(made.mapping.columns, {});
  const path = `/api/v1/imports/${made.id}`;
  const read = await bodyOf<ImportBody>(await key.send("PUT", `${path}/file`, { delimiter: "|" }));
  assert.deepEqual(read.mapping.columns, { domain: "domain", name: "name" });
  assert.equal((await refusalOf(await key.send("PUT", `${path}/file`, { preset: "hubspot" }))).status, 400);
  const { fields } = await bodyOf<{ fields: { name: string }[] }>(await key.send("GET", `${path}/fields`));
  assert.deepEqual([fields[0]?.name, fields.at(-1)?.name], ["domain", "_id"]);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
});

test("re-reading a file of JSON keeps the members of its objects as columns, and for a dataset the objects as cells", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "datasets:write", "datasets:import"]);
  const file = `${JSON.stringify({ domain: "a.com", name: "Ana", facts: { size: 3 } })}\n`;
  const nameOf = ({ columns }: ImportBody) => columns.map(({ name }) => name);
  await bodyOf(await key.send("POST", "/api/v1/datasets", COMPANIES), 201);
  for (const [query, columns] of [
    ["", ["domain", "name", "facts.size"]],
    ["?dataset=companies", ["domain", "name", "facts"]],
  ] as const) {
    const made = await uploaded(the, key, file, { type: "application/x-ndjson", query });
    const read = await bodyOf<ImportBody>(await key.send("PUT", `/api/v1/imports/${made.id}/file`, {}));
    assert.deepEqual([nameOf(made), nameOf(read)], [columns, columns]);
  }
});
