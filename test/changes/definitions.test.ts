import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, type Record_ } from "../api/support/writing.ts";
import { type KeyActor, type World, world } from "../world.ts";

interface UndoBody {
  change_id: string | null;
  counts: Record<string, number>;
  records: { kind: string; id: string; outcome: string; kept: { field: string | null; reason: string }[] }[];
}

const admin = (the: World): Promise<KeyActor> =>
  the.key(["leads:read", "leads:write", "schema:write", "datasets:read", "datasets:write"]);

async function changeOf(response: Response): Promise<string> {
  const text = await response.text();
  assert.ok(response.ok, text);
  return response.headers.get("x-leadgate-change") ?? assert.fail("no change is named");
}

const undo = async (key: KeyActor, id: string): Promise<UndoBody> =>
  await bodyOf<UndoBody>(await key.send("POST", `/api/v1/changes/${id}/undo`, {}));

const create = async (key: KeyActor, lead: object): Promise<Record_> =>
  await leadOf(await key.send("POST", "/api/v1/leads", lead), 201);

const read = async (key: KeyActor, id: string): Promise<Record_> =>
  await leadOf(await key.send("GET", `/api/v1/leads/${id}`));

test("a custom field that was deleted with its values comes back with them, also of untracked and deleted leads", async () => {
  await using the = await world();
  const key = await admin(the);
  for (const timeline of [true, false]) {
    const field = {
      key: timeline ? "plan" : "quiet",
      label: "Plan",
      type: "enum",
      options: ["a", "b"],
      timeline,
    };
    await bodyOf(await key.send("POST", "/api/v1/fields", field), 201);
    const custom = { [field.key]: "a" };
    const one = await create(key, { custom });
    const gone = await create(key, { custom });
    await changeOf(await key.send("DELETE", `/api/v1/leads/${gone.id}`));
    const change = await changeOf(await key.send("DELETE", `/api/v1/fields/${field.key}?force=true`));
    assert.deepEqual((await read(key, one.id)).custom, {});
    const { counts } = await undo(key, change);
    assert.deepEqual([counts.put_back, counts.restored, counts.kept], [1, 1, 0]);
    const {
      created_at: _,
      index_built_at: __,
      ...back
    } = await bodyOf<Record<string, unknown>>(await key.send("GET", `/api/v1/fields/${field.key}`));
    assert.deepEqual(back, { ...field, description: null, position: 0, indexed: false });
    assert.deepEqual((await read(key, one.id)).custom, custom);
    await bodyOf(await key.send("POST", `/api/v1/leads/${gone.id}/restore`));
    assert.deepEqual((await read(key, gone.id)).custom, custom);
    await changeOf(await key.send("DELETE", `/api/v1/leads/${gone.id}`));
    await changeOf(await key.send("DELETE", `/api/v1/leads/${one.id}`));
  }
});

test("statuses that were replaced come back, and so do those of the leads, but for what was changed since", async () => {
  await using the = await world();
  const key = await admin(the);
  await bodyOf(await key.send("PUT", "/api/v1/statuses", { statuses: ["new", "hot", "lost"] }));
  const one = await create(key, { status: "hot" });
  const two = await create(key, { status: "hot" });
  const change = await changeOf(
    await key.send("PUT", "/api/v1/statuses", { statuses: ["new", "warm", "lost"], map: { hot: "warm" } }),
  );
  await changeOf(await key.send("PATCH", `/api/v1/leads/${two.id}`, { status: "lost" }));
  const { counts } = await undo(key, change);
  assert.deepEqual([counts.put_back, counts.kept], [2, 1]);
  assert.equal((await read(key, one.id)).status, "hot");
  assert.equal((await read(key, two.id)).status, "lost");
  const { statuses } = await bodyOf<{ statuses: string[] }>(await key.send("GET", "/api/v1/statuses"));
  assert.deepEqual(statuses, ["new", "hot", "lost"]);
});

test("rows of a dataset that were written or deleted are undone by their change", async () => {
  await using the = await world();
  const key = await admin(the);
  const columns = [
    { key: "domain", label: "Domain", type: "text" },
    { key: "size", label: "Size", type: "number" },
  ];
  const { id } = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/datasets", {
      key: "companies",
      name: "Companies",
      key_column: "domain",
      columns,
    }),
    201,
  );
  const rows = (body: object) => key.send("POST", `/api/v1/datasets/${id}/rows/batch`, body);
  await changeOf(await rows({ mode: "upsert", rows: [{ domain: "a", size: 1 }] }));
  const change = await changeOf(
    await rows({
      mode: "upsert",
      rows: [
        { domain: "a", size: 2 },
        { domain: "b", size: 3 },
      ],
    }),
  );
  const all = async () => {
    const page = await bodyOf<{ rows: { domain: string; size: number }[] }>(
      await key.send("POST", `/api/v1/datasets/${id}/query`, {}),
    );
    return page.rows.map(({ domain, size }) => [domain, size]).sort();
  };
  const done = await undo(key, change);
  assert.deepEqual([done.counts.put_back, done.counts.deleted], [1, 1]);
  assert.deepEqual(await all(), [["a", 1]]);
  await undo(key, done.change_id ?? "");
  assert.deepEqual(await all(), [
    ["a", 2],
    ["b", 3],
  ]);
  const detail = await bodyOf<{ records: { kind: string; outcome: string; changes: object[] }[] }>(
    await key.send("GET", `/api/v1/changes/${change}`),
  );
  assert.deepEqual(
    detail.records.map(({ kind, outcome }) => [kind, outcome]),
    [
      ["row", "updated"],
      ["row", "created"],
    ],
  );
});
