import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { type KeyActor, type World, world } from "../world.ts";

interface Named {
  records: { kind: string; id: string; name: string | null; outcome: string; changes: unknown[] }[];
}

const READS = ["leads:read", "leads:write", "datasets:read", "datasets:write"] as const;

const changeOf = async (response: Response): Promise<string> => {
  const text = await response.text();
  assert.ok(response.ok, text);
  return response.headers.get("x-leadgate-change") ?? assert.fail("no change is named");
};

/** The names of the records of a change. */
const namesIn = async (key: KeyActor, change: string): Promise<(string | null)[]> =>
  (await bodyOf<Named>(await key.send("GET", `/api/v1/changes/${change}`))).records.map(({ name }) => name);

async function dataset(the: World, more: object): Promise<{ key: KeyActor; rows: string }> {
  const key = await the.key([...READS]);
  const columns = [
    { key: "extra", label: "Extra", type: "json" },
    { key: "seats", label: "Seats", type: "integer" },
    { key: "domain", label: "Domain", type: "text" },
  ];
  const made = await key.send("POST", "/api/v1/datasets", {
    key: "companies",
    name: "Companies",
    columns,
    ...more,
  });
  const { id } = await bodyOf<{ id: string }>(made, 201);
  return { key, rows: `/api/v1/datasets/${id}/rows/batch` };
}

test("changes name rows by their key: as it is now, and for a deleted row as it was", async () => {
  await using the = await world();
  const { key, rows } = await dataset(the, { key_column: "domain" });
  const row = { extra: { a: 1 }, seats: 5, domain: "old.example" };
  const created = await changeOf(await key.send("POST", rows, { rows: [row] }));
  const [{ id } = assert.fail("no record")] = (
    await bodyOf<Named>(await key.send("GET", `/api/v1/changes/${created}`))
  ).records;
  const path = rows.replace("batch", id);
  const updated = await changeOf(await key.send("PATCH", path, { seats: 6 }));
  const renamed = await changeOf(await key.send("PATCH", path, { domain: "new.example" }));
  for (const change of [created, updated, renamed])
    assert.deepEqual(await namesIn(key, change), ["new.example"]);
  const dry = await bodyOf<Named>(
    await key.send("POST", `/api/v1/changes/${created}/undo`, { dry_run: true }),
  );
  assert.deepEqual(
    dry.records.map(({ outcome, name }) => [outcome, name]),
    [["kept", "new.example"]],
  );
  const deleted = await changeOf(await key.send("DELETE", path));
  assert.deepEqual(await namesIn(key, deleted), ["new.example"]);
  assert.deepEqual(await namesIn(key, created), ["old.example"]);
  assert.deepEqual(await namesIn(key, updated), [null]);
});

test("a row without a key is named by its first value that is not JSON", async () => {
  await using the = await world();
  const { key, rows } = await dataset(the, {});
  const list = [
    { extra: { a: 1 }, seats: 5, domain: "a.example" },
    { domain: "d".repeat(200) },
    { extra: [1] },
  ];
  const created = await changeOf(await key.send("POST", rows, { rows: list }));
  const names = await namesIn(key, created);
  assert.deepEqual(names.toSorted(), ["5", "d".repeat(80), null].toSorted());
});

test("names of rows are told only to callers who may read datasets, also what an undo kept", async () => {
  await using the = await world();
  const { key, rows } = await dataset(the, { key_column: "domain" });
  const created = await changeOf(
    await key.send("POST", rows, { rows: [{ domain: "secret.example", seats: 1 }] }),
  );
  const [{ id } = assert.fail("no record")] = (
    await bodyOf<Named>(await key.send("GET", `/api/v1/changes/${created}`))
  ).records;
  await changeOf(await key.send("PATCH", rows.replace("batch", id), { seats: 2 }));
  const leads = await the.key(["leads:read"]);
  const seen = await (await leads.send("GET", `/api/v1/changes/${created}`)).text();
  assert.match(seen, new RegExp(`"id" ?: ?"${id}"`));
  assert.doesNotMatch(seen, /secret/);
  const writer = await the.key(["leads:read", "datasets:write"]);
  await the.sql("UPDATE store.change SET actor = jsonb_set(actor, '{id}', to_jsonb($1::text))", [writer.id]);
  for (const [body, status] of [
    [{ dry_run: true }, 403],
    [{}, 200],
  ] as const) {
    const answer = await writer.send("POST", `/api/v1/changes/${created}/undo`, body);
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    assert.doesNotMatch(text, /secret/);
  }
});
