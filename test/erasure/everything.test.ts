import assert from "node:assert/strict";
import { test } from "node:test";
import { endedExport } from "../api/support/exports.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { make, written } from "../datasets/support/dataset.ts";
import { acted, ended, send, uploaded } from "../imports/support/uploading.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { erasePerson, eraser, tablesWith, unzipped } from "./support/erasing.ts";

const NAME = "Zuleika Quarto";
const EMAIL = "zuleika@erase.example";
const MORE = "zq.private@erase.example";
const LOCAL = "(11) 5550-0177";
const DIGITS = "55500177";
const FILE = `name,email,phone,external_id
${NAME},${EMAIL.toUpperCase()},"${LOCAL}",CRM-ZQ-77
Bo Lindqvist,bo@stays.example,,CRM-BO-1
${NAME},not an address,+55 11 5550-0177,CRM-ZQ-78
`;
const MARKS = [NAME, EMAIL, MORE, DIGITS, "5550-0177", "CRM-ZQ-7"];

/** A person in every place where the service keeps data of one. */
async function everywhere(the: World, key: KeyActor): Promise<string[]> {
  await the.sql("UPDATE store.project SET default_country = 'BR' WHERE project_id = $1", [the.project.id]);
  const post = (path: string, body: object) => key.send("POST", path, body);
  const first = await uploaded(the, key, FILE, { query: "?file_name=zuleika%40erase.example.csv" });
  await acted(key, first.id, "dry-run");
  assert.equal((await acted(key, first.id, "commit")).failed, 1);
  const again = await uploaded(the, key, `email,job_title\n${EMAIL},Captain\nbo@stays.example,Cook\n`);
  assert.equal((await acted(key, again.id, "commit")).updated, 2);
  const waits = await uploaded(the, key, `email\n${EMAIL}\n`);
  const { leads } = await bodyOf<{ leads: { id: string }[] }>(
    await post("/api/v1/leads/search", { filter: { field: "email", op: "eq", value: EMAIL } }),
  );
  const [{ id } = { id: "" }] = leads;
  await leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, { emails: [MORE], phones: ["11 5550 0177"] }));
  await post(`/api/v1/leads/${id}/events`, {
    type: "note.added",
    title: `Called ${NAME}`,
    data: { text: EMAIL },
  });
  const twin = await leadOf(await post("/api/v1/leads", { name: NAME, email: MORE }), 201);
  await bodyOf(await post(`/api/v1/leads/${id}/merge`, { with: twin.id }));
  const other = await leadOf(await post("/api/v1/leads", { name: "Cleo", email: "cleo@stays.example" }), 201);
  const deleted = await leadOf(await post("/api/v1/leads", { name: NAME, email: EMAIL, company: "Q" }), 201);
  const merge = await bodyOf<{ merge_id: string }>(
    await post(`/api/v1/leads/${other.id}/merge`, { with: deleted.id }),
  );
  await bodyOf(await post(`/api/v1/merges/${merge.merge_id}/undo`, {}));
  await key.send("DELETE", `/api/v1/leads/${deleted.id}`);
  const once = await leadOf(await post("/api/v1/leads", { name: "Dan", email: EMAIL }), 201);
  await leadOf(await key.send("PATCH", `/api/v1/leads/${once.id}`, { email: "dan@stays.example" }));
  const filter = { field: "email", op: "eq", value: EMAIL };
  await bodyOf(await post("/api/v1/views", { name: `Only ${EMAIL}`, query: { filter, search: EMAIL } }), 201);
  const byPhone = { field: "phone", op: "eq", value: LOCAL };
  await bodyOf(await post("/api/v1/views", { name: "By phone", query: { filter: byPhone } }), 201);
  const exported = await bodyOf<{ id: string }>(
    await post("/api/v1/exports", { search: "zuleika", filter }),
    202,
  );
  assert.equal((await endedExport(key, exported.id)).state, "done");
  await make(key, {
    key: "orders",
    columns: [
      { key: "buyer", type: "email" },
      { key: "note", type: "text" },
    ],
    lead_link: { column: "buyer", match: "email" },
  });
  await written(
    key,
    [
      { buyer: EMAIL, note: NAME },
      { buyer: "bo@stays.example", note: "Bo" },
    ],
    "insert",
    "orders",
  );
  const rows = await send(the, key, `buyer,note\n${MORE},${NAME}\nbad,${EMAIL}\n`, {
    query: "?dataset=orders",
  });
  const { id: rowsId } = await bodyOf<{ id: string }>(rows, 201);
  await bodyOf(await post(`/api/v1/imports/${rowsId}/commit`, {}), 202);
  await ended(key, rowsId);
  return [first.id, again.id, waits.id, rowsId];
}

test("an erased person is in no table of the database any more, and everybody else still is", async () => {
  await using the = await world();
  const key = await eraser(the);
  const imports = await everywhere(the, key);
  for (const mark of MARKS) assert.ok((await tablesWith(the, mark)).length > 0, mark);
  for (let times = 0; times < 3; times += 1)
    await (await key.query({ filter: { field: "name", op: "contains", value: "Zuleika" } })).text();
  const dry = await erasePerson(key, { email: EMAIL, phone: LOCAL, dry_run: true });
  assert.ok((await tablesWith(the, EMAIL)).length > 0, "a dry run removes nothing");
  const done = await erasePerson(key, { email: EMAIL, phone: LOCAL, expected_leads: 3 });
  assert.deepEqual(done.erased, dry.erased);
  assert.deepEqual(
    [
      done.erased.leads,
      done.erased.merges,
      done.erased.dataset_rows,
      done.erased.imports,
      done.erased.exports,
    ],
    [3, 2, 2, 4, 1],
  );
  for (const mark of MARKS) assert.deepEqual(await tablesWith(the, mark), [], mark);
  for (const mark of ["bo@stays.example", "cleo@stays.example", "dan@stays.example"])
    assert.ok((await tablesWith(the, mark)).length > 0, mark);
  for (const id of imports)
    for (const path of ["errors.csv", "successful.csv", "unprocessed.csv", "errors", "errors/kinds"]) {
      const answer = await key.send("GET", `/api/v1/imports/${id}/${path}`);
      const { error } = (await answer.json()) as { error: { code: string } };
      assert.deepEqual([answer.status, error.code], [410, "erased"], path);
    }
  const { views } = await bodyOf<{ views: { id: string }[] }>(await key.send("GET", "/api/v1/views"));
  for (const { id } of views)
    assert.equal((await key.send("POST", "/api/v1/leads/search", { filter: { view: id } })).status, 200);
});

test("an import that lost its file with an erased person keeps its counts, and its other leads can still be undone", async () => {
  await using the = await world();
  const key = await eraser(the);
  const { id } = await uploaded(the, key, `email,name\n${EMAIL},${NAME}\nbo@stays.example,Bo\n`);
  await acted(key, id, "commit");
  const waits = await uploaded(the, key, `email\n${EMAIL}\n`);
  await erasePerson(key, { email: EMAIL, expected_leads: 1 });
  const left = await bodyOf<Record<string, unknown>>(await key.send("GET", `/api/v1/imports/${id}`));
  assert.deepEqual([left.state, left.rows, left.created], ["done", 2, 2]);
  assert.match(String(left.erased_at), /\+00:00$/);
  for (const [method, path, body] of [
    ["POST", "commit", undefined],
    ["POST", "dry-run", undefined],
    ["PUT", "mapping", { columns: { email: "email" } }],
    ["PUT", "file", { header: true }],
  ] as const) {
    const answer = await key.send(method, `/api/v1/imports/${waits.id}/${path}`, body);
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.deepEqual([answer.status, error.code], [410, "erased"], path);
  }
  const undone = await acted(key, id, "undo");
  assert.deepEqual([undone.state, undone.undo], ["undone", { deleted: 1, restored: 0, left: 0 }]);
  assert.equal((await key.send("GET", `/api/v1/imports/${id}/kept`)).status, 200);
});

test("a person in failed or skipped rows only, in NDJSON, UTF-16 or a file without header, is found in the file", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  const files: [string | Buffer, { type?: string; query?: string }][] = [
    [`email,website\n${EMAIL},not a website\n`, {}],
    [`{"email":"zuleika\\u0040erase.example","website":"nope"}\n`, { type: "application/x-ndjson" }],
    [Buffer.from(`\ufeffemail,website\r\n${EMAIL},nope\r\n`, "utf16le"), {}],
    [`Zuleika,(11) 5550-0177,nope\nOther,(11) 5550-0199,nope\n`, { query: "?header=true" }],
  ];
  const ids: string[] = [];
  for (const [file, options] of files) ids.push((await uploaded(the, key, file, options)).id);
  const clean = await uploaded(the, key, "email\nbo@stays.example\n");
  const { erased } = await erasePerson(key, { email: EMAIL, phone: "+55 11 5550 0177", expected_leads: 0 });
  assert.deepEqual([erased.leads, erased.imports], [0, 4]);
  assert.deepEqual(await tablesWith(the, DIGITS), []);
  assert.deepEqual(await tablesWith(the, "5550-0177"), []);
  assert.deepEqual(await tablesWith(the, EMAIL), []);
  assert.equal((await acted(key, clean.id, "commit")).created, 1);
});

test("an export of a person has everything that is held about them, and about nobody else, as a ZIP of JSON", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  await everywhere(the, key);
  const answer = await key.send("POST", "/api/v1/people/export", { email: EMAIL });
  assert.equal(answer.headers.get("content-type"), "application/zip");
  assert.match(
    answer.headers.get("content-disposition") ?? "",
    /^attachment; filename="person-exp_\w+\.zip"$/,
  );
  const files = await unzipped(answer);
  const parsed = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, JSON.parse(text) as unknown[]]),
  );
  assert.deepEqual(Object.keys(files).sort(), [
    ...["changes.json", "dataset-changes.json", "datasets/orders.json", "events.json", "history.json"],
    ...["import-rows.json", "leads.json", "merges.json", "person.json", "queries.json"],
  ]);
  assert.ok((parsed["history.json"]?.length ?? 0) >= 1);
  const own = new Set((parsed["leads.json"] as { id: string }[]).map(({ id }) => id));
  assert.equal(own.size, 3);
  const changes = parsed["changes.json"] as { lead_id: string }[];
  assert.ok(changes.every(({ lead_id }) => own.has(lead_id)));
  assert.equal(parsed["datasets/orders.json"]?.length, 2);
  assert.ok((parsed["import-rows.json"]?.length ?? 0) >= 4);
  // Two views, what the changes that made them keep, and an export.
  assert.equal(parsed["queries.json"]?.length, 5);
  assert.match(files["events.json"] ?? "", /Called Zuleika Quarto/);
  assert.doesNotMatch(Object.values(files).join(), /bo@stays/);
  const log = await the.sql<{ data: object }>("SELECT data FROM audit WHERE action = 'person.exported'");
  assert.doesNotMatch(JSON.stringify(log), /zuleika/i);
  assert.equal(log.length, 1);
});
