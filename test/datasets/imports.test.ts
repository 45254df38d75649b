import assert from "node:assert/strict";
import { test } from "node:test";
import { sheetOf, sums } from "../imports/support/uploading.ts";
import { world } from "../world.ts";
import { bodyOf, found, make, type Row, written } from "./support/dataset.ts";
import { endedRows, IMPORTER, imported, type RowImport, sendRows } from "./support/importing.ts";

const plain = (rows: readonly Row[], ...keys: string[]) => rows.map((row) => keys.map((key) => row[key]));

test("a file becomes rows of a dataset: 202 with the import, which is read until it is done", async () => {
  await using the = await world();
  const key = await the.key(IMPORTER);
  const { id } = await make(key);
  await written(key, [{ domain: "old.example", name: "Old", employees: 3, tier: "gold" }]);
  const file = [
    "Domain;Company name;employees;revenue;active;founded;seen;contact;phone;tier;facts;note",
    'new.example;Ação;"1.200";10,5;sim;31/12/2020;2024-02-03T04:05:06-03:00;ANA@x.org;+55 11 91234-5678;SILVER;"{""a"":[1]}";x',
    "OLD.example;;4;;;;;;;;;",
    "bad.example;;many;;;;;;5.5E+12;;;",
    ";;;;;;;;;;;",
    "new.example;Ação;;;;;;;;;;;",
  ].join("\n");
  const answer = await sendRows(the, key, Buffer.from(file, "latin1"), { query: "?file_name=companies.csv" });
  assert.equal(answer.headers.get("location")?.startsWith("/api/v1/imports/imp_"), true);
  const begun = await bodyOf<RowImport>(answer, 202);
  assert.deepEqual(begun.dataset, { id, key: "companies" });
  const done = await endedRows(key, begun.id);
  const { errors } = await bodyOf<{ errors: { row: number; errors: { column: string; code: string }[] }[] }>(
    await key.send("GET", `/api/v1/imports/${begun.id}/errors`),
  );
  assert.deepEqual([done.state, ...sums(done)], ["done", 5, 1, 1, 1, 1, 1], JSON.stringify(errors));
  assert.deepEqual(
    [done.file.name, done.file.encoding, done.file.rows],
    ["companies.csv", "windows-1252", 5],
  );
  const { rows } = await found(key, { sort: [{ field: "domain" }] });
  assert.deepEqual(plain(rows, "domain", "name", "employees", "tier"), [
    ["new.example", "Ação", 1200, "silver"],
    ["OLD.example", "Old", 4, "gold"],
  ]);
  const [row] = rows;
  assert.deepEqual(
    [row?.revenue, row?.active, row?.founded, row?.seen, row?.contact, row?.phone, row?.facts],
    [10.5, true, "2020-12-31", "2024-02-03T07:05:06.000+00:00", "ANA@x.org", "+5511912345678", { a: [1] }],
  );
  assert.deepEqual(
    errors.map(({ row: line, errors: faults }) => [
      line,
      ...faults.map(({ column, code }) => `${column} ${code}`),
    ]),
    [[4, "employees not_an_integer", "phone scientific_notation"]],
  );
});

test("CSV, NDJSON and XLSX are accepted as the body or as a form's file, with or without a trailing slash", async () => {
  await using the = await world();
  const key = await the.key(IMPORTER);
  await make(key);
  const sheet = sheetOf([
    ["domain", "name", "employees"],
    ["x.example", "Sheet", { number: "7" }],
  ]);
  const form = (bytes: Buffer, name: string) => {
    const made = new FormData();
    made.append("mode", "upsert");
    made.append("file", new Blob([new Uint8Array(bytes)]), name);
    return made;
  };
  const ndjson = '{"domain":"n.example","name":"Lines","facts":{"a":1},"active":true}\n';
  const files: [string | Buffer | FormData, object, string][] = [
    ["domain,name\nc.example,Comma\n", {}, "created"],
    ["domain\tname\nc.example\tComma\n", { type: "text/tab-separated-values" }, "unchanged"],
    [ndjson, { type: "application/x-ndjson" }, "created"],
    [sheet, { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" }, "created"],
    [form(sheet, "rows.xlsx"), {}, "unchanged"],
    [form(Buffer.from("domain,name\nf.example,Form\n"), "rows.csv"), {}, "created"],
    ["domain,name\nc.example,Comma\n", { path: "/api/datasets/companies/import" }, "unchanged"],
  ];
  for (const [file, sending, outcome] of files) {
    const done = await imported(the, key, file, sending);
    assert.deepEqual(
      [done.state, done.rows, done[outcome as "created"]],
      ["done", 1, 1],
      JSON.stringify(done),
    );
  }
  const { rows } = await found(key, { sort: [{ field: "domain" }] });
  assert.deepEqual(plain(rows, "domain", "employees", "facts"), [
    ["c.example", null, null],
    ["f.example", null, null],
    ["n.example", null, { a: 1 }],
    ["x.example", 7, null],
  ]);
});

test("the mode decides about rows that exist, and a mapping assigns other columns", async () => {
  await using the = await world();
  const key = await the.key(IMPORTER);
  await make(key);
  const file = "domain,name\na.example,A\nb.example,B\n";
  assert.deepEqual(sums(await imported(the, key, file, { query: "?mode=update" })), [2, 0, 0, 0, 0, 2]);
  assert.deepEqual(sums(await imported(the, key, file, { query: "?mode=insert" })), [2, 2, 0, 0, 0, 0]);
  assert.deepEqual(sums(await imported(the, key, file, { query: "?mode=insert" })), [2, 0, 0, 0, 0, 2]);
  assert.deepEqual(sums(await imported(the, key, file)), [2, 0, 0, 2, 0, 0]);
  const mapping = JSON.stringify({
    columns: { Site: "domain", Sterne: { field: "tier", values: { "3": "gold" } } },
    set: { name: "Firma {Site}" },
  });
  const mapped = await imported(the, key, "Site,Sterne\na.example,3\nc.example,\n", {
    query: `?mapping=${encodeURIComponent(mapping)}`,
  });
  assert.deepEqual(sums(mapped), [2, 1, 1, 0, 0, 0]);
  const { rows } = await found(key, { sort: [{ field: "domain" }] });
  assert.deepEqual(plain(rows, "domain", "name", "tier"), [
    ["a.example", "Firma a.example", "gold"],
    ["b.example", "B", null],
    ["c.example", "Firma c.example", null],
  ]);
  const [row] = rows;
  const byId = await imported(the, key, `_id,name\n${row?._id},By id\nrow_none,X\n`);
  assert.deepEqual(sums(byId), [2, 0, 1, 0, 0, 1]);
});

test("a file that cannot be imported into a dataset is refused with a status and a code, and nothing is kept", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(IMPORTER);
  await make(key);
  const refused = async (file: string | Buffer, sending: object = {}) => {
    const answer = await sendRows(the, key, file, sending);
    const body = (await answer.json()) as { code: string; detail: string };
    assert.deepEqual(Object.keys(body).sort(), ["code", "detail"]);
    return [answer.status, body.code];
  };
  const good = "domain,name\na,A\n";
  assert.deepEqual(await refused("domain,founded,name\na,01/02/2020,A\n"), [409, "ambiguous_dates"]);
  assert.deepEqual(await refused('domain,revenue,name\na,"1,234",A\n'), [409, "ambiguous_decimals"]);
  assert.deepEqual(await refused("x,y\n1,2\n"), [400, "no_columns"]);
  assert.deepEqual(await refused("name\nA\n", { query: "?mode=upsert" }), [400, "no_key"]);
  assert.deepEqual(await refused(""), [422, "empty_file"]);
  assert.deepEqual(await refused('domain,name\n1,"open\n'), [422, "unreadable_csv"]);
  assert.deepEqual(await refused("PK", { query: "?format=xlsx" }), [422, "unreadable_sheet"]);
  assert.deepEqual(await refused(good, { type: "image/png" }), [415, "unsupported_media"]);
  assert.deepEqual(await refused(good, { query: "?colour=red" }), [400, "unknown_key"]);
  assert.equal((await refused(good, { query: "?mode=replace" }))[0], 400);
  assert.equal((await refused(good, { query: "?preset=hubspot" }))[0], 400);
  assert.deepEqual(await refused(good, { query: "?mapping={" }), [400, "not_json"]);
  const mapping = (of: object) => ({ query: `?mapping=${encodeURIComponent(JSON.stringify(of))}` });
  assert.deepEqual(await refused(good, mapping({ columns: { name: "nothing" } })), [400, "unknown_field"]);
  assert.deepEqual(await refused(good, mapping({ columns: { who: "name" } })), [400, "unknown_column"]);
  const events = [{ type: "a.b", title: "t", key: "k", last: "seen" }];
  assert.deepEqual(await refused(good, mapping({ columns: { name: "name" }, events })), [400, "unexpected"]);
  assert.deepEqual(await refused(good, { path: "/api/datasets/none/import/" }), [404, "not_found"]);
  for (const table of ["import", "import_piece", "job"])
    assert.deepEqual(await the.sql(`SELECT count(*)::int AS n FROM store.${table}`), [{ n: 0 }], table);
  const declared = await imported(the, key, 'domain,founded,revenue,name\na,01/02/2020,"1,234",A\n', {
    query: "?dates=dmy&decimals=comma",
  });
  assert.deepEqual(sums(declared), [1, 1, 0, 0, 0, 0]);
  const { rows } = await found(key);
  assert.deepEqual([rows[0]?.founded, rows[0]?.revenue], ["2020-02-01", 1.234]);
});

test("an import into a dataset requires datasets:import, one of leads leads:write, and neither allows the other", async () => {
  await using the = await world();
  const key = await the.key([...IMPORTER, "leads:write"]);
  const [leads, rows, neither] = [
    await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write"]),
    await the.key(["datasets:read", "datasets:import"]),
    await the.key(["leads:read", "datasets:read", "datasets:write"]),
  ];
  const stranger = await the.key(
    [...IMPORTER, "leads:write"],
    (await the.newProject(the.person, "Other")).id,
  );
  await make(key);
  const path = "/api/v1/imports";
  const file = "domain,name\na,A\n";
  const ofRows = await bodyOf<RowImport>(
    await sendRows(the, rows, file, { path, query: "?dataset=companies" }),
    201,
  );
  const ofLeads = await bodyOf<RowImport>(await sendRows(the, leads, "email\na@x.org\n", { path }), 201);
  assert.deepEqual(
    [ofRows.state, ofRows.mapping, ofLeads.dataset],
    ["ready", { columns: { domain: "domain", name: "name" }, mode: "upsert" }, null],
  );
  const status = async (answer: Promise<Response>) => (await answer).status;
  assert.equal(await status(sendRows(the, leads, file)), 403);
  assert.equal(await status(sendRows(the, leads, file, { path, query: "?dataset=companies" })), 403);
  assert.equal(await status(sendRows(the, rows, "email\na@x.org\n", { path })), 403);
  assert.equal(await status(sendRows(the, stranger, file)), 404);
  const one = `/api/datasets/companies/imports/${ofRows.id}/`;
  assert.deepEqual(
    await Promise.all([rows, leads, neither, stranger].map((each) => status(each.send("GET", one)))),
    [200, 403, 403, 404],
  );
  assert.equal(await status(rows.send("GET", `/api/datasets/companies/imports/${ofLeads.id}/`)), 404);
  for (const suffix of ["", "/errors", "/errors.csv", "/successful.csv", "/unprocessed.csv", "/kept"]) {
    const of = (who: typeof key, { id }: RowImport) => status(who.send("GET", `${path}/${id}${suffix}`));
    assert.deepEqual(
      await Promise.all([of(rows, ofRows), of(leads, ofRows), of(rows, ofLeads), of(leads, ofLeads)]),
      [200, 403, 403, 200],
      suffix,
    );
    assert.deepEqual(
      await Promise.all([of(neither, ofRows), of(neither, ofLeads), of(stranger, ofRows)]),
      [403, 403, 404],
      suffix,
    );
  }
  for (const [method, act] of [
    ["PUT", "mapping"],
    ["POST", "dry-run"],
    ["POST", "commit"],
    ["POST", "undo"],
    ["POST", "cancel"],
  ] as const) {
    const body = method === "PUT" ? { columns: { domain: "domain" } } : undefined;
    const of = (who: typeof key, { id }: RowImport) => status(who.send(method, `${path}/${id}/${act}`, body));
    assert.deepEqual(
      [await of(leads, ofRows), await of(rows, ofLeads), await of(stranger, ofRows)],
      [403, 403, 404],
    );
  }
  assert.equal(await status(rows.send("GET", `${path}?dataset=companies`)), 200);
  assert.equal(await status(leads.send("GET", `${path}?dataset=companies`)), 403);
  assert.equal(await status(rows.send("GET", path)), 403);
  const listed = async (who: typeof key, query: string) =>
    (await bodyOf<{ imports: RowImport[] }>(await who.send("GET", path + query))).imports.map(({ id }) => id);
  assert.deepEqual(await listed(leads, ""), [ofLeads.id]);
  assert.deepEqual(await listed(rows, "?dataset=companies"), [ofRows.id]);
  assert.deepEqual((await bodyOf<RowImport>(await rows.send("GET", one))).state, "ready");
});

test("dataset imports are counted per key: two at once, then ten an hour, whether they succeed or not", async () => {
  await using the = await world({ env: { LIMITS: '{"api": null, "datasetWrites": null}' } });
  const key = await the.key(IMPORTER);
  const other = await the.key(IMPORTER);
  await make(key);
  const file = "domain,name\na,A\n";
  assert.equal((await sendRows(the, key, file)).status, 202);
  const bad = await sendRows(the, key, "", { path: "/api/v1/imports", query: "?dataset=companies" });
  assert.equal(bad.status, 422);
  for (const sending of [{}, { path: "/api/v1/imports", query: "?dataset=companies" }]) {
    const refused = await sendRows(the, key, file, sending);
    assert.equal(refused.status, 429);
    const wait = Number(refused.headers.get("retry-after"));
    assert.ok(Number.isInteger(wait) && wait > 0 && wait <= 360, String(wait));
    assert.match(refused.headers.get("ratelimit-policy") ?? "", /datasetImports/);
  }
  assert.equal((await sendRows(the, other, file)).status, 202, "another key has its own");
  assert.equal((await key.send("GET", "/api/v1/imports?dataset=companies")).status, 200);
});
