import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, type Record_, refusalOf, writer } from "../api/support/writing.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { type KeyActor, world } from "../world.ts";

interface Many {
  change_id: string | null;
  state: string;
  job_id: string | null;
  counts: Record<string, number>;
  total: number;
  changes: number;
  not_undone: { change_id: string; code: string }[];
  records: { id: string; kept: { field: string | null; by: { label: string } | null }[] }[];
}

const changeOf = async (response: Response): Promise<string> => {
  assert.ok(response.ok, await response.text());
  return response.headers.get("x-leadgate-change") ?? assert.fail("the answer names no change");
};

const shown = async (key: KeyActor, id: string) =>
  await bodyOf<{
    kind: string;
    counts: Record<string, number>;
    about: object;
    undone_by: string | null;
    reversible: boolean;
    created_at: string;
    actor: { id: string };
    state: string;
  }>(await key.send("GET", `/api/v1/changes/${id}`));

const read = async (key: KeyActor, id: string): Promise<Record_> =>
  await leadOf(await key.send("GET", `/api/v1/leads/${id}`));

const patch = async (key: KeyActor, id: string, fields: object): Promise<string> =>
  await changeOf(await key.send("PATCH", `/api/v1/leads/${id}`, fields));

test("everything that an actor did since is undone as one change, newest first, and made again by undoing that", async () => {
  await using the = await world();
  const [bot, other] = [await writer(the), await the.key(["leads:read", "leads:write"])];
  const { id: ana } = await leadOf(await other.send("POST", "/api/v1/leads", { name: "Ana", score: 1 }), 201);
  const { id: old } = await leadOf(
    await other.send("POST", "/api/v1/leads", { name: "Old", city: "Faro" }),
    201,
  );
  const before = await patch(bot, ana, { company: "Before" });
  const first = await patch(bot, ana, { score: 2, city: "Natal" });
  const from = await shown(bot, first);
  const second = await patch(bot, ana, { score: 3 });
  const made = await bot.send("POST", "/api/v1/leads", { name: "Made" });
  const created = await changeOf(made.clone());
  const { id: fresh } = await leadOf(made, 201);
  const merge = await changeOf(await bot.send("POST", `/api/v1/leads/${ana}/merge`, { with: old }));
  const { id: file } = await uploaded(the, bot, "external_id,name\nx,Imported\n");
  const { change_id: imported } = await acted(bot, file, "commit");
  await patch(other, ana, { city: "Recife" });
  const call = { actor: from.actor.id, from: from.created_at };
  const dry = await bodyOf<Many>(await bot.send("POST", "/api/v1/changes/undo", { ...call, dry_run: true }));
  const answer = await bot.send("POST", "/api/v1/changes/undo", call);
  const done = await bodyOf<Many>(answer);
  assert.equal(answer.headers.get("x-leadgate-change"), done.change_id);
  assert.deepEqual([dry.counts, dry.changes, dry.total], [done.counts, done.changes, done.total]);
  assert.deepEqual([done.changes, done.not_undone], [5, []]);
  assert.deepEqual(
    done.records.flatMap(({ id, kept }) => kept.map(({ field }) => [id, field])),
    [[ana, "city"]],
  );
  const lead = await read(bot, ana);
  assert.deepEqual([lead.score, lead.city, lead.company], [1, "Recife", "Before"]);
  assert.equal((await bot.send("GET", `/api/v1/leads/${fresh}`)).status, 404);
  assert.equal((await read(bot, old)).city, "Faro");
  for (const id of [first, second, created, merge, imported ?? ""])
    assert.equal((await shown(bot, id)).undone_by, done.change_id);
  assert.equal((await shown(bot, before)).undone_by, null);
  const record = await bodyOf<{ state: string; undo: object }>(
    await bot.send("GET", `/api/v1/imports/${file}`),
  );
  assert.deepEqual([record.state, record.undo], ["undone", { deleted: 1, restored: 0, left: 0 }]);
  const { kind, about } = await shown(bot, done.change_id ?? "");
  assert.deepEqual([kind, about], ["undo", { actor: from.actor.id, changes: 5 }]);

  // Undoing it makes them all again.
  await bodyOf(await bot.send("POST", `/api/v1/changes/${done.change_id}/undo`, {}));
  for (const id of [first, second, created, merge, imported ?? ""])
    assert.equal((await shown(bot, id)).undone_by, null);
  assert.equal((await read(bot, ana)).score, 3);
  assert.equal((await read(bot, fresh)).name, "Made");
  assert.equal((await bot.send("GET", `/api/v1/leads/${old}`)).status, 404);
  assert.equal(
    (await bodyOf<{ state: string }>(await bot.send("GET", `/api/v1/imports/${file}`))).state,
    "done",
  );
});

test("what it kept is continued by the same call, or by undoing one of the changes again", async () => {
  await using the = await world();
  const [bot, other] = [await writer(the), await the.key(["leads:read", "leads:write"])];
  const { id } = await leadOf(
    await other.send("POST", "/api/v1/leads", { name: "1", score: 1, city: "a" }),
    201,
  );
  const name = await patch(bot, id, { name: "2", score: 2 });
  const { created_at: from, actor } = await shown(bot, name);
  const city = await patch(bot, id, { city: "b" });
  const edits = [await patch(other, id, { name: "3" }), await patch(other, id, { city: "c" })];
  const call = { actor: actor.id, from };
  const begun = await bodyOf<Many>(await bot.send("POST", "/api/v1/changes/undo", call));
  assert.deepEqual([begun.counts.put_back, begun.counts.kept], [1, 2]);
  for (const edit of edits) await bodyOf(await other.send("POST", `/api/v1/changes/${edit}/undo`, {}));
  const one = await bodyOf<Many>(await bot.send("POST", `/api/v1/changes/${city}/undo`, {}));
  assert.deepEqual([one.change_id, (await read(bot, id)).city], [begun.change_id, "a"]);
  const rest = await bodyOf<Many>(await bot.send("POST", "/api/v1/changes/undo", call));
  assert.deepEqual([rest.change_id, rest.changes, (await read(bot, id)).name], [begun.change_id, 1, "1"]);
  const none = await bodyOf<Many>(await bot.send("POST", "/api/v1/changes/undo", call));
  assert.deepEqual([none.change_id, none.changes], [null, 0]);
});

test("what cannot be undone is named; another's changes are refused, but not for an owner", async () => {
  await using the = await world({ alone: true });
  const bot = await the.key(["leads:read", "leads:write", "leads:erase"]);
  const { id } = await leadOf(await bot.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  const change = await patch(bot, id, { score: 2 });
  const { created_at: from, actor } = await shown(bot, change);
  const creation = await bot.send("POST", "/api/v1/leads", { name: "Gone" });
  const { id: gone } = await leadOf(creation.clone(), 201);
  const erased = await changeOf(await bot.send("DELETE", `/api/v1/leads/${gone}?erase=true`));
  const call = { actor: actor.id, from };
  const other = await writer(the);
  const refused = await refusalOf(await other.send("POST", "/api/v1/changes/undo", call));
  assert.deepEqual([refused.status, refused.code], [403, "not_yours"]);
  const done = await bodyOf<Many>(await bot.send("POST", "/api/v1/changes/undo", call));
  assert.deepEqual(
    done.not_undone.map(({ change_id: of, code }) => [of, code]),
    [
      [erased, "irreversible"],
      [await changeOf(creation), "values_gone"],
    ],
  );
  assert.equal((await read(bot, id)).score, null);
});

test("an undo of an actor leaves what the actor undid itself as it is", async () => {
  await using the = await world();
  const bot = await writer(the);
  const { id } = await leadOf(await bot.send("POST", "/api/v1/leads", { name: "Ana", score: 1 }), 201);
  const change = await patch(bot, id, { score: 2 });
  const { created_at: from, actor } = await shown(bot, change);
  await bodyOf(await bot.send("POST", `/api/v1/changes/${change}/undo`, {}));
  const done = await bodyOf<Many>(await bot.send("POST", "/api/v1/changes/undo", { actor: actor.id, from }));
  assert.deepEqual([done.change_id, done.changes, (await read(bot, id)).score], [null, 0, 1]);
});

test("an undo of an import's undo, with others or by itself, leaves the import done", async () => {
  await using the = await world();
  const bot = await writer(the);
  const { id } = await uploaded(the, bot, "external_id,name\nx,Imported\n");
  const { change_id: change } = await acted(bot, id, "commit");
  await acted(bot, id, "undo");
  const { undone_by: undo } = await shown(bot, change ?? "");
  const { created_at: from, actor } = await shown(bot, undo ?? "");
  await bodyOf(await bot.send("POST", "/api/v1/changes/undo", { actor: actor.id, from }));
  const record = async () =>
    await bodyOf<{ state: string; undo: object | null }>(await bot.send("GET", `/api/v1/imports/${id}`));
  assert.deepEqual([(await record()).state, (await record()).undo], ["done", null]);
  const again = await acted(bot, id, "undo");
  assert.deepEqual([again.state, again.undo], ["undone", { deleted: 1, restored: 0, left: 0 }]);
});

test("a job of many that stopped is continued by undoing the changes again, until nothing is left of it", async () => {
  await using the = await world();
  const bot = await writer(the);
  const { id } = await leadOf(await bot.send("POST", "/api/v1/leads", { name: "Ana", score: 1 }), 201);
  const first = await patch(bot, id, { score: 2 });
  const { created_at: from, actor } = await shown(bot, first);
  const next = await patch(bot, id, { score: 3 });
  const call = { actor: actor.id, from };
  const { change_id: undo } = await bodyOf<Many>(await bot.send("POST", "/api/v1/changes/undo", call));
  // As if a job had done it, and failed behind the first of its two changes.
  const job = `job_${"0".repeat(26)}`;
  await the.sql(
    `INSERT INTO store.job (project_id, id, kind, state, input, actor, credential, result, change_id) SELECT project_id, $2, 'undo', 'failed',
       jsonb_build_object('targets', jsonb_build_array(jsonb_build_object('of', jsonb_build_object('id', $3::text)),
         jsonb_build_object('of', jsonb_build_object('id', $4::text)))), actor, '{}', '{"target": 1}', id
     FROM store.change WHERE id = $1`,
    [undo, job, next, first],
  );
  await the.sql("UPDATE store.change SET job_id = $2 WHERE id = $1", [undo, job]);
  assert.equal((await shown(bot, first)).reversible, true);
  await bodyOf(await bot.send("POST", "/api/v1/changes/undo", call));
  assert.equal((await shown(bot, first)).reversible, false);
  assert.equal((await read(bot, id)).score, 1);
});

test("more than 10,000 records of an actor are undone by a job", async () => {
  await using the = await world();
  const bot = await writer(the);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, city)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i, 'Natal' FROM generate_series(1, 10400) i`,
    [the.project.id],
  );
  const { id } = await leadOf(await bot.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  const change = await patch(bot, id, { score: 2 });
  const { created_at: from, actor } = await shown(bot, change);
  const filter = { field: "city", op: "eq", value: "Natal" };
  const set = { op: "set", set: { status: "won" }, filter, expected_count: 10_400 };
  const bulk = await bodyOf<{ change_id: string }>(await bot.send("POST", "/api/v1/leads/bulk", set), 202);
  while ((await shown(bot, bulk.change_id)).state === "running") await sleep(50);
  const answer = await bot.send("POST", "/api/v1/changes/undo", { actor: actor.id, from });
  const begun = await bodyOf<Many>(answer, 202);
  assert.deepEqual([begun.state, begun.changes, begun.total], ["running", 2, 10_401]);
  const undo = begun.change_id ?? "";
  while ((await shown(bot, undo)).state === "running") await sleep(50);
  assert.deepEqual((await shown(bot, undo)).counts, { leads_updated: 10_401 });
  assert.equal((await shown(bot, bulk.change_id)).undone_by, undo);
  assert.equal((await read(bot, id)).score, null);
  // And made again by another one.
  const redo = await bodyOf<Many>(await bot.send("POST", `/api/v1/changes/${undo}/undo`, {}), 202);
  while ((await shown(bot, redo.change_id ?? "")).state === "running") await sleep(50);
  assert.equal((await read(bot, id)).score, 2);
  assert.equal((await shown(bot, bulk.change_id)).undone_by, null);
});
