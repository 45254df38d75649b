import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, refusalOf } from "../api/support/writing.ts";
import { acted, ended, uploaded } from "../imports/support/uploading.ts";
import { type KeyActor, world } from "../world.ts";

interface Shown {
  id: string;
  kind: string;
  state: string;
  counts: object;
  about: { import_id?: string; fields?: string[] };
  undone_by: string | null;
  records: { outcome: string }[];
}

const read = async (key: KeyActor, id: string): Promise<Shown> =>
  await bodyOf<Shown>(await key.send("GET", `/api/v1/changes/${id}`));

async function done(key: KeyActor, id: string): Promise<Shown> {
  for (;;) {
    const change = await read(key, id);
    if (change.state === "done") return change;
    await sleep(20);
  }
}

test("an import is a change; it is undone, made again and undone again by its change, and its own record follows", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  await bodyOf(await key.send("PUT", "/api/v1/quiet-fields", { fields: ["city"] }));
  const ana = await leadOf(
    await key.send("POST", "/api/v1/leads", { external_id: "a", name: "Ana", city: "Natal" }),
    201,
  );
  const { id } = await uploaded(the, key, "external_id,name,city\na,Anna,Olinda\nb,Bia,Recife\n");
  await acted(key, id, "commit");
  const { changes } = await bodyOf<{ changes: Shown[] }>(
    await key.send("GET", "/api/v1/changes?kind=import"),
  );
  const [change] = changes;
  assert.deepEqual([change?.counts, change?.about.import_id], [{ leads_created: 1, leads_updated: 1 }, id]);
  const detail = await read(key, change?.id ?? "");
  assert.deepEqual(detail.records.map(({ outcome }) => outcome).sort(), ["created", "updated"]);
  const state = async () => {
    const { leads } = await bodyOf<{ leads: { name: string; city: string }[] }>(
      await key.send("POST", "/api/v1/leads/search", {}),
    );
    const imported = await bodyOf<{ state: string }>(await key.send("GET", `/api/v1/imports/${id}`));
    return [imported.state, ...leads.map(({ name, city }) => `${name} ${city}`).sort()];
  };
  const undo = async (of: string, status: number): Promise<string> => {
    const answer = await key.send("POST", `/api/v1/changes/${of}/undo`, {});
    const { change_id: made } = await bodyOf<{ change_id: string }>(answer, status);
    assert.equal(answer.headers.get("x-leadgate-change"), made);
    await done(key, made);
    return made;
  };
  const before = ["undone", "Ana Natal"];
  const after = ["done", "Anna Olinda", "Bia Recife"];
  assert.deepEqual(await state(), after);
  const first = await undo(change?.id ?? "", 202);
  assert.deepEqual(await state(), before);
  assert.equal((await read(key, change?.id ?? "")).undone_by, first);
  const again = await undo(first, 200);
  assert.deepEqual(await state(), after);
  const third = await undo(again, 200);
  assert.deepEqual(await state(), before);
  assert.equal((await read(key, change?.id ?? "")).undone_by, first, "the first undo stands again");
  await undo(third, 200);
  assert.deepEqual(await state(), after);
  assert.equal((await read(key, change?.id ?? "")).undone_by, null);
  await acted(key, id, "undo");
  assert.deepEqual(await state(), before);
  assert.equal((await leadOf(await key.send("GET", `/api/v1/leads/${ana.id}`))).city, "Natal");
});

test("fields that an import needs are a change of the call that starts it, and removing them is one as well", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const { id } = await uploaded(the, key, "name,x,y\nAna,gold,1\n");
  const mapping = {
    columns: { name: "name", x: "custom.plan", y: "custom.seats" },
    fields: { plan: { label: "Plan", type: "text" }, seats: { label: "Seats", type: "integer" } },
  };
  await bodyOf(await key.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
  const started = await key.send("POST", `/api/v1/imports/${id}/commit`);
  await bodyOf(started, 202);
  assert.equal((await ended(key, id)).state, "done");
  const { changes } = await bodyOf<{ changes: Shown[] }>(await key.send("GET", "/api/v1/changes"));
  assert.deepEqual(
    changes.map(({ kind, counts }) => [kind, counts]),
    [
      ["import", { leads_created: 1 }],
      ["field.create", { fields_changed: 2 }],
    ],
  );
  const created = started.headers.get("x-leadgate-change") ?? assert.fail("no change is named");
  assert.equal(changes[1]?.id, created);
  assert.deepEqual((await read(key, created)).about, { fields: ["custom.plan", "custom.seats"] });
  const undo = () => key.send("POST", `/api/v1/changes/${created}/undo`, {});
  const kept = await bodyOf<{ counts: { kept: number }; change_id: null }>(await undo());
  assert.deepEqual([kept.counts.kept, kept.change_id], [2, null], "a lead has values");
  const [lead] = await the.sql<{ id: string }>("SELECT id FROM store.lead");
  await bodyOf(await key.send("PATCH", `/api/v1/leads/${lead?.id}`, { custom: { plan: null, seats: null } }));
  await bodyOf(await undo());
  const { fields } = await bodyOf<{ fields: object[] }>(await key.send("GET", "/api/v1/fields"));
  assert.deepEqual(fields, []);
});

test("an import is not undone while a job makes it again", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key(["leads:read", "leads:write"]);
  const rows = Array.from({ length: 10_100 }, (_, i) => `e${i},Person ${i}`);
  const { id } = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
  const stop = keepWorking(the.service);
  const { change_id: change } = await acted(key, id, "commit");
  const undo = await bodyOf<{ change_id: string }>(
    await key.send("POST", `/api/v1/changes/${change}/undo`, {}),
    202,
  );
  await done(key, undo.change_id);
  await stop();
  await bodyOf(await key.send("POST", `/api/v1/changes/${undo.change_id}/undo`, {}), 202);
  for (const path of [`changes/${change}`, `imports/${id}`]) {
    const { status, code } = await refusalOf(await key.send("POST", `/api/v1/${path}/undo`, {}));
    assert.deepEqual([status, code], [409, "still_running"], path);
  }
});
