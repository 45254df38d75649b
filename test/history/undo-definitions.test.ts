import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { type KeyActor, type World, world } from "../world.ts";

interface Undone {
  change_id: string | null;
  records: {
    outcome: string;
    kept: { field: string | null; reason: string; by: { label: string } | null; change_id: string | null }[];
  }[];
}

async function undone(key: KeyActor, of: string) {
  const { change_id: id, records } = await bodyOf<Undone>(
    await key.send("POST", `/api/v1/changes/${of}/undo`, {}),
  );
  return {
    id: id ?? "",
    done: records,
    told: records.map(({ outcome, kept }) => [outcome, kept[0]?.reason]),
  };
}

const changeOf = (response: Response): string => {
  const id = response.headers.get("x-leadgate-change");
  assert.ok(id !== null, String(response.status));
  return id;
};

const manager = (the: World): Promise<KeyActor> => the.key(["leads:read", "leads:write", "schema:write"]);

const fieldOf = async (key: KeyActor, name: string): Promise<Record<string, unknown> | undefined> => {
  const { fields } = await bodyOf<{ fields: Record<string, unknown>[] }>(
    await key.send("GET", "/api/v1/fields"),
  );
  return fields.find((field) => field.key === name || field.name === `custom.${name}`);
};

test("a created field is removed again, unless a lead has a value or somebody changed it", async () => {
  await using the = await world();
  const key = await manager(the);
  const create = async (name: string) =>
    changeOf(await key.send("POST", "/api/v1/fields", { key: name, label: "Plan", type: "text" }));
  const [unused, used, changed] = [await create("unused"), await create("used"), await create("changed")];
  await leadOf(await key.send("POST", "/api/v1/leads", { name: "A", custom: { used: "x" } }), 201);
  const later = changeOf(await key.send("PATCH", "/api/v1/fields/changed", { label: "Other" }));
  const { id, told } = await undone(key, unused);
  assert.deepEqual(told, [["deleted", undefined]]);
  assert.equal(await fieldOf(key, "unused"), undefined);
  assert.deepEqual((await undone(key, used)).told, [["kept", "changed_since"]]);
  const { done } = await undone(key, changed);
  assert.deepEqual([done[0]?.kept[0]?.change_id, done[0]?.kept[0]?.by?.label], [later, "test"]);
  // The undo of the undo.
  assert.deepEqual((await undone(key, id)).told, [["restored", undefined]]);
  assert.notEqual(await fieldOf(key, "unused"), undefined);
});

test("a changed field gets its former definition, unless values of leads do not fit it", async () => {
  await using the = await world({ alone: true });
  const key = await manager(the);
  await bodyOf(
    await key.send("POST", "/api/v1/fields", { key: "size", label: "Size", type: "integer", indexed: true }),
    201,
  );
  const patch = { label: "Width", type: "text", indexed: false };
  const change = changeOf(await key.send("PATCH", "/api/v1/fields/size", patch));
  const { id: lead } = await leadOf(
    await key.send("POST", "/api/v1/leads", { name: "A", custom: { size: "wide" } }),
    201,
  );
  assert.deepEqual((await undone(key, change)).told, [["kept", "does_not_fit"]]);
  await leadOf(await key.send("PATCH", `/api/v1/leads/${lead}`, { custom: { size: null } }));
  const { told } = await undone(key, change);
  assert.deepEqual(told, [["put_back", undefined]]);
  const [field] = await the.sql<{ label: string; type: string; indexed: boolean }>(
    `SELECT label, type, i.id IS NOT NULL AS indexed FROM store.custom_field f
     LEFT JOIN store.field_index i ON i.project_id = f.project_id AND i.field = 'custom.' || f.key AND i.requested AND i.dropped_at IS NULL`,
  );
  assert.deepEqual(field, { label: "Size", type: "integer", indexed: true });
});

test("a deleted field is created again under its key, unless another one has it", async () => {
  await using the = await world();
  const key = await manager(the);
  const definition = { key: "plan", label: "Plan", type: "enum", options: ["a", "b"], description: "Which" };
  await bodyOf(await key.send("POST", "/api/v1/fields", definition), 201);
  const before = await fieldOf(key, "plan");
  const change = changeOf(await key.send("DELETE", "/api/v1/fields/plan"));
  const { id, told } = await undone(key, change);
  assert.deepEqual(told, [["restored", undefined]]);
  assert.deepEqual(await fieldOf(key, "plan"), before);
  await undone(key, id);
  await bodyOf(await key.send("POST", "/api/v1/fields", { ...definition, label: "Other" }), 201);
  assert.deepEqual((await undone(key, change)).told, [["kept", "taken"]]);
});

test("former statuses are put back and widened by those that leads still have", async () => {
  await using the = await world();
  const key = await manager(the);
  const set = (statuses: string[]) => key.send("PUT", "/api/v1/statuses", { statuses });
  const now = async () =>
    (await bodyOf<{ statuses: string[] }>(await key.send("GET", "/api/v1/statuses"))).statuses;
  const former = await now();
  const wide = [...former, "paused", "parked", "idle"];
  const change = changeOf(await set(wide));
  for (const status of ["paused", "parked"])
    await leadOf(await key.send("POST", "/api/v1/leads", { name: "A", status }), 201);
  const { id, told } = await undone(key, change);
  assert.deepEqual([told, await now()], [[["put_back", undefined]], [...former, "paused", "parked"]]);
  await undone(key, id);
  assert.deepEqual(await now(), wide);
  await bodyOf(await set([...wide, "more"]));
  assert.deepEqual((await undone(key, change)).told, [["kept", "changed_since"]]);
});

test("former untracked fields are put back if nobody has set them since", async () => {
  await using the = await world();
  const key = await manager(the);
  const set = (fields: string[]) => key.send("PUT", "/api/v1/quiet-fields", { fields });
  const change = changeOf(await set(["score"]));
  const { id, told } = await undone(key, change);
  assert.deepEqual(told, [["put_back", undefined]]);
  const [row] = await the.sql<{ fields: string[] }>(
    "SELECT quiet_fields AS fields FROM store.project WHERE project_id = $1",
    [the.project.id],
  );
  assert.deepEqual(row?.fields, []);
  await undone(key, id);
  await bodyOf(await set(["company"]));
  assert.deepEqual((await undone(key, change)).told, [["kept", "changed_since"]]);
});
