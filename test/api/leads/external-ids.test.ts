import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, type World, world } from "../../world.ts";
import { leadOf, type Record_, refusalOf, told, writer } from "../support/writing.ts";

const URL_ = "/api/v1/leads";

const create = async (key: KeyActor, lead: object): Promise<Record_> =>
  await leadOf(await key.send("POST", URL_, lead), 201);

/** Checks that a call was refused because this lead has the external id. */
async function heldBy(response: Response, holder: Record_): Promise<void> {
  const { status, code, message, details } = await refusalOf(response);
  assert.deepEqual([status, code], [409, "external_id_taken"]);
  assert.ok(message.includes(holder.id), message);
  assert.deepEqual(details, [{ path: "$.external_id", code: "external_id_taken", message: holder.id }]);
}

interface Report {
  results: { status: number; id: string | null; error: { code: string; details: object[] } | null }[];
}

const bulk = async (key: KeyActor, body: object): Promise<Report["results"]> =>
  ((await (await key.send("POST", `${URL_}/bulk`, body)).json()) as Report).results;

const living = (the: World) =>
  the.sql<{ external_id: string; count: number }>(
    `SELECT external_id, count(*)::integer AS count FROM store.lead
     WHERE project_id = $1 AND deleted_at IS NULL AND merged_into_id IS NULL AND external_id IS NOT NULL GROUP BY 1 ORDER BY 1`,
    [the.project.id],
  );

test("an external id belongs to one lead: a second creation and a change to it are 409 with the id of the holder", async () => {
  await using the = await world();
  const key = await writer(the);
  const one = await create(key, { external_id: "crm-1", name: "One" });
  const two = await create(key, { external_id: "crm-2", name: "Two" });
  await heldBy(await key.send("POST", URL_, { external_id: " crm-1 ", name: "Three" }), one);
  await heldBy(await key.send("PATCH", `${URL_}/${two.id}`, { external_id: "crm-1", name: "Changed" }), one);
  assert.deepEqual(await told(the, two.id), [["lead.created", undefined, undefined, undefined]]);
  const other = await create(key, { external_id: "CRM-1" });
  assert.notEqual(other.id, one.id, "external ids are compared exactly");
  const same = await key.send("PATCH", `${URL_}/${one.id}`, { external_id: "crm-1", name: "Ana" });
  assert.equal((await leadOf(same)).name, "Ana");
  const upserted = await key.send("PUT", `${URL_}/upsert`, { lead: { external_id: "crm-1", name: "Again" } });
  assert.equal((await leadOf(upserted)).id, one.id);
});

test("another project may use the same external id", async () => {
  await using the = await world();
  const other = await the.newProject(the.person);
  await create(await writer(the), { external_id: "crm-1" });
  await create(await writer(the, other.id), { external_id: "crm-1" });
});

test("a deleted or merged lead keeps its external id and does not stand in the way of a new one", async () => {
  await using the = await world();
  const key = await writer(the);
  const deleted = await create(key, { external_id: "crm-1" });
  await key.send("DELETE", `${URL_}/${deleted.id}`);
  const next = await create(key, { external_id: "crm-1" });
  await heldBy(await key.send("POST", `${URL_}/${deleted.id}/restore`), next);
  assert.deepEqual((await told(the, deleted.id)).at(-1)?.[0], "lead.deleted");
  await leadOf(await key.send("PATCH", `${URL_}/${next.id}`, { external_id: null }));
  const back = await leadOf(await key.send("POST", `${URL_}/${deleted.id}/restore`));
  assert.equal(back.external_id, "crm-1");
});

test("an upsert by another identity cannot give a lead the external id of another one", async () => {
  await using the = await world();
  const key = await writer(the);
  const one = await create(key, { external_id: "crm-1" });
  await create(key, { email: "two@example.org" });
  const upsert = (lead: object) => key.send("PUT", `${URL_}/upsert`, { match_on: "email", lead });
  await heldBy(await upsert({ email: "two@example.org", external_id: "crm-1" }), one);
  await heldBy(await upsert({ email: "new@example.org", external_id: "crm-1" }), one);
});

test("of many calls at once with one external id, one creates the lead; no answer is a 500", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const calls = Array.from({ length: 24 }, (_, i) => {
    const lead = { external_id: `crm-${i % 2}`, name: `n${i}` };
    if (i % 3 === 0) return key.send("PUT", `${URL_}/upsert`, { lead });
    if (i % 3 === 1) return key.send("POST", `${URL_}/bulk`, { op: "create", items: [lead] });
    return key.send("POST", URL_, lead);
  });
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.ok(
    statuses.every((status) => [200, 201, 409].includes(status)),
    statuses.join(),
  );
  assert.deepEqual(await living(the), [
    { external_id: "crm-0", count: 1 },
    { external_id: "crm-1", count: 1 },
  ]);
});

test("of leads that change to one external id at once, one gets it and the others are 409 with its id", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const leads = await Promise.all(Array.from({ length: 12 }, (_, i) => create(key, { name: `n${i}` })));
  const answers = await Promise.all(
    leads.map(({ id }) => key.send("PATCH", `${URL_}/${id}`, { external_id: "crm-1" })),
  );
  const holder = leads.find((_, i) => answers[i]?.status === 200);
  assert.ok(holder);
  for (const answer of answers) if (answer.status !== 200) await heldBy(answer, holder);
  assert.deepEqual(await living(the), [{ external_id: "crm-1", count: 1 }]);
});

test("in a bulk call only the items whose external id is taken fail, also by an earlier item", async () => {
  await using the = await world();
  const key = await writer(the);
  const holder = await create(key, { external_id: "crm-1" });
  const items = ["a", "crm-1", "b", "a", "c"].map((external_id) => ({ external_id, name: external_id }));
  const created = await bulk(key, { op: "create", items });
  assert.deepEqual(
    created.map(({ status, error }) => [status, error?.code]),
    [
      [201, undefined],
      [409, "external_id_taken"],
      [201, undefined],
      [409, "external_id_taken"],
      [201, undefined],
    ],
  );
  assert.deepEqual(created[1]?.id, null);
  assert.deepEqual(created[1]?.error?.details, [
    { path: "$.external_id", code: "external_id_taken", message: holder.id },
  ]);
  assert.deepEqual(created[3]?.error?.details, [
    { path: "$.external_id", code: "external_id_taken", message: created[0]?.id },
  ]);
  const [a, b, c] = [created[0]?.id, created[2]?.id, created[4]?.id];
  const updated = await bulk(key, {
    op: "update",
    items: [
      { id: a, external_id: "new" },
      { id: b, external_id: "new" },
      { id: c, external_id: "crm-1", name: "not changed" },
      { id: holder.id, name: "changed" },
    ],
  });
  assert.deepEqual(
    updated.map(({ id, status }) => [id, status]),
    [
      [a, 200],
      [b, 409],
      [c, 409],
      [holder.id, 200],
    ],
  );
  const set = await bulk(key, {
    op: "set",
    set: { external_id: "z" },
    items: [{ id: a }, { id: b }, { id: c }],
  });
  assert.deepEqual(
    set.map(({ status }) => status),
    [200, 409, 409],
  );
  await bulk(key, { op: "delete", items: [{ id: a }, { id: b }] });
  await the.sql("UPDATE store.lead SET external_id = 'twin' WHERE id = ANY ($1)", [[a, b]]);
  const restored = await bulk(key, { op: "restore", items: [{ id: a }, { id: b }] });
  assert.deepEqual(
    restored.map(({ status }) => status),
    [200, 409],
  );
});

test("undoing a merge gives both leads their external ids back, or is 409 with the id of the lead that has one by now", async () => {
  await using the = await world();
  const key = await writer(the);
  const merge = async (id: string, body: object) =>
    (await (await key.send("POST", `${URL_}/${id}/merge`, body)).json()) as { merge_id: string };
  const undo = (id: string) => key.send("POST", `/api/v1/merges/${id}/undo`);
  const read = async ({ id }: Record_) => (await leadOf(await key.send("GET", `${URL_}/${id}`))).external_id;

  const empty = await create(key, { name: "without" });
  const full = await create(key, { external_id: "crm-1" });
  const taken = await merge(empty.id, { with: full.id });
  assert.equal(await read(empty), "crm-1", "the surviving lead takes it over");
  assert.equal((await undo(taken.merge_id)).status, 200);
  assert.deepEqual([await read(empty), await read(full)], [null, "crm-1"]);

  const winner = await create(key, { external_id: "w" });
  const loser = await create(key, { external_id: "l" });
  const kept = await merge(winner.id, { with: loser.id });
  const next = await create(key, { external_id: "l" });
  await heldBy(await undo(kept.merge_id), next);
  await leadOf(await key.send("PATCH", `${URL_}/${next.id}`, { external_id: null }));
  await leadOf(await key.send("PATCH", `${URL_}/${winner.id}`, { external_id: "l" }));
  await heldBy(await undo(kept.merge_id), winner);
  await leadOf(await key.send("PATCH", `${URL_}/${winner.id}`, { external_id: "w" }));
  assert.equal((await undo(kept.merge_id)).status, 200);
  assert.deepEqual([await read(winner), await read(loser)], ["w", "l"]);

  const chosen = await merge(winner.id, { with: loser.id, prefer: { external_id: "other" } });
  const third = await create(key, { external_id: "w" });
  await heldBy(await undo(chosen.merge_id), third);
  await key.send("DELETE", `${URL_}/${third.id}`);
  assert.equal((await undo(chosen.merge_id)).status, 200);
  assert.deepEqual([await read(winner), await read(loser)], ["w", "l"]);
});
