import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, type Record_, refusalOf } from "../api/support/writing.ts";
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

test("a saved view that was created, changed or deleted is undone by its change, and keeps what was changed since", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const query = (status: string) => ({ filter: { field: "status", op: "eq", value: status } });
  const make = async (name: string, body: object) => {
    const made = await key.send("POST", "/api/v1/views", { name, query: body });
    const change = made.headers.get("x-leadgate-change") ?? assert.fail("no change is named");
    return { ...(await bodyOf<{ id: string }>(made, 201)), change };
  };
  const write = async (method: string, id: string, body?: object) =>
    await changeOf(await key.send(method, `/api/v1/views/${id}`, body));
  const view = async (id: string) => {
    const { updated_at: _, ...rest } = await bodyOf<{ version: number; updated_at: string }>(
      await key.send("GET", `/api/v1/views/${id}`),
    );
    return rest;
  };
  const told = async (change: string) => {
    const { counts, records } = await undo(key, change);
    const [outcome] = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? name : []));
    return [outcome, records[0]?.kept[0]?.reason];
  };

  const one = await make("Won", query("won"));
  const before = await view(one.id);
  const change = await write("PATCH", one.id, { name: "Lost", query: query("lost") });
  const read = await bodyOf<{ kind: string; about: object; counts: object; records: object[] }>(
    await key.send("GET", `/api/v1/changes/${change}`),
  );
  assert.deepEqual(
    [read.kind, read.about, read.counts, read.records],
    [
      "view.update",
      { view_id: one.id },
      { views_changed: 1 },
      [
        {
          ...{ kind: "view", id: one.id, dataset_id: null, name: "Lost", outcome: "updated" },
          changes: [
            { field: "name", from: "Won", to: "Lost" },
            { field: "query", from: query("won"), to: query("lost") },
          ],
          ...{ events: 0, kept: [] },
        },
      ],
    ],
  );
  const dry = await key.send("POST", `/api/v1/changes/${change}/undo`, { dry_run: true });
  assert.equal((await bodyOf<UndoBody>(dry)).counts.put_back, 1);
  const undone = await undo(key, change);
  assert.deepEqual(await view(one.id), { ...before, version: 3 });
  // The undo of the undo.
  await undo(key, undone.change_id ?? "");
  assert.deepEqual(await view(one.id), { ...before, version: 4, name: "Lost", query: query("lost") });
  const writer = await the.key(["leads:write"]);
  assert.equal(
    (await refusalOf(await writer.send("POST", `/api/v1/changes/${change}/undo`, {}))).status,
    403,
  );

  // Changed since, even if it is the same again.
  const renamed = await write("PATCH", one.id, { name: "Other" });
  const back = await write("PATCH", one.id, { name: "Lost" });
  assert.deepEqual(await told(change), ["kept", "changed_since"]);
  await undo(key, back);
  await undo(key, renamed);
  assert.deepEqual(await told(change), ["put_back", undefined]);
  assert.equal(
    (await key.send("PATCH", `/api/v1/views/${one.id}`, { name: "Won" })).headers.get("x-leadgate-change"),
    null,
  );

  // A view that others use is not deleted, and a former query that uses a view that is gone does not come back.
  const user = await make("Users", { filter: { view: one.id } });
  for (const body of [{}, { dry_run: true }])
    assert.deepEqual(
      await refusalOf(await key.send("POST", `/api/v1/changes/${one.change}/undo`, body)).then((refusal) => [
        refusal.status,
        refusal.code,
        refusal.details[0]?.message,
      ]),
      [409, "view_used", user.id],
    );
  const freed = await write("PATCH", user.id, { query: {} });
  const late = await write("PATCH", one.id, { name: "Late" });
  const former = await view(one.id);
  const deleted = await write("DELETE", one.id);
  assert.deepEqual(await told(freed), ["kept", "does_not_fit"]);
  assert.deepEqual(await told(late), ["kept", "deleted"]);
  assert.deepEqual(await told(deleted), ["restored", undefined]);
  assert.deepEqual(await view(one.id), { ...former, version: former.version + 1 });
  assert.deepEqual(await told(freed), ["put_back", undefined]);
  await write("DELETE", user.id);
  assert.deepEqual(await told(one.change), ["kept", "changed_since"]);
  await undo(key, late);
  assert.deepEqual(await told(one.change), ["deleted", undefined]);
});
