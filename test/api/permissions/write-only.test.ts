import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type KeyActor, type World, world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

const FILE = "Name,Email,When,Score\nAna,ana@example.org,01/02/2026,1\nBo,not-an-address,03/04/2026,2\n";
const SECRETS = /ana@example|not-an-address|Ana|01\/02\/2026/;

interface Import {
  id: string;
  state: string;
  columns: { name: string; samples: string[]; values: string[] | null }[];
  dry_run: Record<string, number> | null;
  questions: { message: string }[];
  updated: number;
  unchanged: number;
  failed: number;
}

const upload = async (the: World, key: KeyActor, text: string, query = ""): Promise<Import> =>
  await bodyOf<Import>(
    await fetch(`${the.baseUrl}/api/v1/imports${query}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
      body: text,
    }),
    201,
  );

/** Returns the import once it has the state. */
async function until(key: KeyActor, id: string, state: string): Promise<Import> {
  for (;;) {
    const found = await bodyOf<Import>(await key.send("GET", `/api/v1/imports/${id}`));
    if (found.state === state) return found;
    assert.notEqual(found.state, "failed");
    await sleep(20);
  }
}

/** A committed import of one good and one wrong row, by a key that may read. */
async function imported(the: World, key: KeyActor): Promise<string> {
  const { id } = await upload(the, key, FILE);
  const mapping = { columns: { Name: "name", Email: "email", Score: "score" } };
  assert.equal((await key.send("PUT", `/api/v1/imports/${id}/mapping`, mapping)).status, 200);
  assert.equal((await key.send("POST", `/api/v1/imports/${id}/commit`)).status, 202);
  const { failed } = await until(key, id, "done");
  assert.equal(failed, 1);
  return id;
}

test("with leads:write alone, an import shows its state, mapping and counts, and nothing of its file", async () => {
  await using the = await world();
  const [reader, writer] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:write"])];
  const id = await imported(the, reader);
  for (const file of ["errors", "errors.csv", "errors/kinds", "successful.csv", "unprocessed.csv", "kept"]) {
    const refused = await refusalOf(await writer.send("GET", `/api/v1/imports/${id}/${file}`));
    assert.deepEqual([refused.status, refused.code], [403, "missing_permission"], file);
    assert.match(refused.message, /leads:read/);
    assert.equal((await reader.send("GET", `/api/v1/imports/${id}/${file}`)).status, 200, file);
  }
  const own = await upload(the, reader, FILE);
  const dated = { columns: { When: "created_at", Email: "email" } };
  await bodyOf(await reader.send("PUT", `/api/v1/imports/${own.id}/mapping`, dated));
  for (const path of ["", `/${id}`, `/${own.id}`]) {
    const text = await (await writer.send("GET", `/api/v1/imports${path}`)).text();
    assert.doesNotMatch(text, SECRETS, path);
    assert.match(text, /"name": ?"Email"/);
  }
  const open = await writer.send("POST", `/api/v1/imports/${own.id}/commit`);
  assert.equal(open.status, 409);
  assert.doesNotMatch(await open.text(), SECRETS);
  assert.match(await (await reader.send("POST", `/api/v1/imports/${own.id}/commit`)).text(), /01\/02\/2026/);
  const [shown] = (await bodyOf<{ imports: Import[] }>(await reader.send("GET", "/api/v1/imports"))).imports;
  assert.deepEqual(shown?.columns[1]?.samples, ["ana@example.org", "not-an-address"]);
});

test("the key that uploaded a file sees the rows that failed of it, and no others", async () => {
  await using the = await world();
  const [writer, other] = [await the.key(["leads:write"]), await the.key(["leads:write"])];
  const id = await imported(the, writer);
  for (const file of ["errors", "errors.csv", "errors/kinds"]) {
    assert.equal((await writer.send("GET", `/api/v1/imports/${id}/${file}`)).status, 200, file);
    assert.equal((await other.send("GET", `/api/v1/imports/${id}/${file}`)).status, 403, file);
  }
  assert.match(await (await writer.send("GET", `/api/v1/imports/${id}/errors`)).text(), /not-an-address/);
  assert.equal((await writer.send("GET", `/api/v1/imports/${id}/successful.csv`)).status, 403);
});

test("without leads:read, no key reads another key's file again, or maps its columns", async () => {
  await using the = await world();
  const [reader, writer] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:write"])];
  const bare = "Ana,ana@example.org\nBo,bo@example.org\n";
  const { id } = await upload(the, reader, bare);
  const values = { columns: { "Column 1": { field: "status", values: { Ana: "new" } } } };
  const attempts = [
    ["file", { header: true }],
    ["file", { format: "csv", delimiter: "|", header: true }],
    ["file", { encoding: "utf-16le", header: true }],
    ["mapping", values],
  ] as const;
  for (const [part, body] of attempts) {
    const refused = await refusalOf(await writer.send("PUT", `/api/v1/imports/${id}/${part}`, body));
    assert.deepEqual([refused.status, refused.code], [403, "missing_permission"], JSON.stringify(body));
    assert.match(refused.message, /leads:read/);
  }
  const own = await upload(the, writer, bare);
  await bodyOf(await writer.send("PUT", `/api/v1/imports/${own.id}/file`, { header: false }));
  await bodyOf(await writer.send("PUT", `/api/v1/imports/${own.id}/mapping`, values));
  await bodyOf(await reader.send("PUT", `/api/v1/imports/${own.id}/file`, { header: true }));
});

test("with datasets:import alone, an import into a dataset shows nothing of its file", async () => {
  await using the = await world();
  const owner = await the.key(["datasets:read", "datasets:write", "datasets:import"]);
  const importer = await the.key(["datasets:import"]);
  const dataset = { key: "people", key_column: "email", columns: [{ key: "email", type: "text" }] };
  await bodyOf(await owner.send("POST", "/api/v1/datasets", dataset), 201);
  const { id } = await upload(the, owner, "email\nana@example.org\n", "?dataset=people");
  await bodyOf(await owner.send("POST", `/api/v1/imports/${id}/commit`), 202);
  await until(owner, id, "done");
  for (const path of [
    "/api/v1/imports?dataset=people",
    `/api/v1/imports/${id}`,
    `/api/datasets/people/imports/${id}`,
  ]) {
    const answer = await importer.send("GET", path);
    assert.equal(answer.status, 200, path);
    assert.doesNotMatch(await answer.text(), SECRETS, path);
    assert.match(await (await owner.send("GET", path)).text(), SECRETS, path);
  }
  for (const file of ["errors", "errors.csv", "successful.csv", "unprocessed.csv", "kept"]) {
    const { status, message } = await refusalOf(await importer.send("GET", `/api/v1/imports/${id}/${file}`));
    assert.equal(status, 403, file);
    assert.match(message, /datasets:read/);
    assert.equal((await owner.send("GET", `/api/v1/imports/${id}/${file}`)).status, 200, file);
  }
  const filter = { filter: { field: "email", op: "eq", value: "ana@example.org" }, expected_count: 0 };
  const deletion = async (key: KeyActor) =>
    await refusalOf(await key.send("DELETE", "/api/v1/datasets/people/rows", filter));
  assert.equal((await deletion(await the.key(["datasets:write"]))).status, 403);
  assert.equal((await deletion(owner)).status, 409);
});

test("without leads:read, no import is dry-run, and the counts of a dry run are not shown", async () => {
  await using the = await world();
  const [reader, writer] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:write"])];
  const lead = { external_id: "crm-1", name: "Ana", score: 7 };
  await bodyOf(await reader.send("POST", "/api/v1/leads", lead), 201);
  const shown: unknown[] = [];
  for (const score of [7, 8]) {
    const { id } = await upload(the, writer, `External id,Score\ncrm-1,${score}\ncrm-1,${score}\n`);
    const mapping = { columns: { "External id": "external_id", Score: "score" } };
    await bodyOf(await writer.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
    const refused = await refusalOf(await writer.send("POST", `/api/v1/imports/${id}/dry-run`));
    assert.deepEqual([refused.status, refused.code], [403, "missing_permission"]);
    assert.match(refused.message, /leads:read/);
    await bodyOf(await reader.send("POST", `/api/v1/imports/${id}/dry-run`), 202);
    const told = await until(reader, id, "ready");
    assert.equal(told.dry_run?.repeated, score === 7 ? 0 : 1);
    shown.push((await until(writer, id, "ready")).dry_run);
  }
  assert.deepEqual(shown, [null, null]);
});

test("without datasets:read, no import into a dataset is dry-run", async () => {
  await using the = await world();
  const owner = await the.key(["datasets:read", "datasets:write", "datasets:import"]);
  const importer = await the.key(["datasets:import"]);
  const dataset = { key: "people", key_column: "email", columns: [{ key: "email", type: "text" }] };
  await bodyOf(await owner.send("POST", "/api/v1/datasets", dataset), 201);
  const { id } = await upload(the, importer, "email\nana@example.org\n", "?dataset=people");
  const refused = await refusalOf(await importer.send("POST", `/api/v1/imports/${id}/dry-run`));
  assert.deepEqual([refused.status, refused.code], [403, "missing_permission"]);
  await bodyOf(await owner.send("POST", `/api/v1/imports/${id}/dry-run`), 202);
  assert.equal((await until(owner, id, "ready")).dry_run?.created, 1);
  assert.equal((await until(importer, id, "ready")).dry_run, null);
});

test("with leads:write alone, no filter, dry run, merge or conflict tells what is stored", async () => {
  await using the = await world();
  const [reader, writer] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:write"])];
  const make = async (lead: object) =>
    (await bodyOf<{ id: string }>(await reader.send("POST", "/api/v1/leads", lead), 201)).id;
  const ana = await make({ name: "Ana", email: "ana@example.org", tags: ["vip"] });
  const twin = await make({ name: "Ana S.", email: "ana@example.org" });
  const filter = { field: "email", op: "eq", value: "ana@example.org" };
  for (const body of [
    { op: "tag_add", tags: ["x"], filter, expected_count: 0 },
    { op: "tag_add", tags: ["x"], filter, dry_run: true },
    { op: "delete", filter, expected_count: 20_000 },
    { op: "tag_add", tags: ["vip"], items: [{ id: ana }], dry_run: true },
    { op: "upsert", items: [{ email: "ana@example.org" }], dry_run: true },
  ]) {
    const refused = await refusalOf(await writer.send("POST", "/api/v1/leads/bulk", body));
    assert.deepEqual([refused.status, refused.code], [403, "missing_permission"], JSON.stringify(body));
    assert.match(refused.message, /leads:read/);
    assert.notEqual((await reader.send("POST", "/api/v1/leads/bulk", body)).status, 403);
  }
  const lead = { email: "ana@example.org", score: 1 };
  for (const [key, knows] of [
    [reader, true],
    [writer, false],
  ] as const) {
    const upsert = await key.send("PUT", "/api/v1/leads/upsert", { match_on: "email", lead });
    const bulk = await key.send("POST", "/api/v1/leads/bulk", {
      op: "upsert",
      match_on: "email",
      items: [lead],
    });
    const event = { lead: { email: "ana@example.org" }, type: "call.made" };
    const batch = await key.send("POST", "/api/v1/events/batch", { events: [event] });
    for (const answer of [upsert, bulk, batch]) {
      const text = await answer.text();
      assert.match(text, /"ambiguous"/);
      assert.equal(text.includes(twin), knows, text);
    }
  }
  const guess = await make({ name: "Ana", email: "guess@example.org" });
  const path = `/api/v1/leads/${ana}/merge`;
  const merged = await bodyOf<Record<string, unknown>>(
    await writer.send("POST", path, { with: guess, prefer: "other" }),
  );
  assert.deepEqual(Object.keys(merged).sort(), ["lead", "merge_id", "merged_id"]);
  assert.deepEqual(Object.keys(merged.lead as object).sort(), ["id", "version"]);
  const undone = await bodyOf<{ leads: object[] }>(
    await writer.send("POST", `/api/v1/merges/${merged.merge_id}/undo`),
  );
  assert.deepEqual(Object.keys(undone).sort(), ["leads", "merge_id"]);
  for (const each of undone.leads) assert.deepEqual(Object.keys(each).sort(), ["id", "version"]);
});

test("without leads:read, no condition of an upsert tells whether a lead is stored", async () => {
  await using the = await world();
  const [reader, writer] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:write"])];
  const known = { email: "ana@example.org" };
  await bodyOf(await reader.send("POST", "/api/v1/leads", known), 201);
  for (const condition of [{ if_version: 2_147_483_647 }, { if_absent: true }]) {
    for (const lead of [known, { email: "nobody@example.org" }]) {
      const single = { lead, ...condition };
      const bulk = { op: "upsert", items: [{ ...known }, { ...lead, ...condition }] };
      for (const [method, path, body] of [
        ["PUT", "/api/v1/leads/upsert", single],
        ["POST", "/api/v1/leads/bulk", bulk],
      ] as const) {
        const refused = await refusalOf(await writer.send(method, path, body));
        assert.deepEqual([refused.status, refused.code], [403, "missing_permission"], JSON.stringify(body));
        assert.match(refused.message, /leads:read/);
      }
    }
    const stale = await refusalOf(
      await reader.send("PUT", "/api/v1/leads/upsert", { lead: known, ...condition }),
    );
    assert.equal(stale.status, 412);
  }
  const form = await the.key(["leads:create"]);
  const always = { lead: known, if_absent: false };
  assert.equal((await form.send("PUT", "/api/v1/leads/upsert", always)).status, 202);
});

test("with leads:write alone, a written lead is answered by its id and version, and views cannot be saved", async () => {
  await using the = await world();
  const [reader, writer] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:write"])];
  const lead = { name: "Ana", email: "ana@example.org" };
  const { id } = await bodyOf<{ id: string }>(await reader.send("POST", "/api/v1/leads", lead), 201);
  for (const [method, path, body] of [
    ["POST", "/api/v1/leads", lead],
    ["PUT", "/api/v1/leads/upsert", { lead: { external_id: "crm-9" } }],
    ["PATCH", `/api/v1/leads/${id}`, { score: 1 }],
    ["POST", `/api/v1/leads/${id}/restore`, undefined],
  ] as const) {
    const answer = (await (await writer.send(method, path, body)).json()) as object;
    assert.deepEqual(Object.keys(answer).sort(), ["id", "version"], `${method} ${path}`);
  }
  const query = { filter: { field: "name", op: "eq", value: "Ana" } };
  const view = await bodyOf<{ id: string }>(
    await reader.send("POST", "/api/v1/views", { name: "A", query }),
    201,
  );
  assert.equal((await writer.send("POST", "/api/v1/views", { name: "B", query })).status, 403);
  assert.equal((await writer.send("PATCH", `/api/v1/views/${view.id}`, { name: "B" })).status, 403);
  assert.equal((await writer.send("DELETE", `/api/v1/views/${view.id}`)).status, 403);
});
