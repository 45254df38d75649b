import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

const LEADS = "/api/v1/leads";

const post = async <Body>(key: KeyActor, path: string, body: object) =>
  await bodyOf<Body>(await key.send("POST", `${LEADS}/${path}`, body));

/** The names of the leads that a condition on their events finds. */
async function found(key: KeyActor, event: object): Promise<string> {
  const { leads } = await post<{ leads: { name: string }[] }>(key, "search", {
    ...{ filter: { event }, sort: [{ field: "name" }] },
  });
  return leads.map(({ name }) => name).join(" ");
}

/** Creates a lead whose status then becomes one after another. */
async function lead(key: KeyActor, name: string, [first, ...later]: readonly string[]): Promise<void> {
  const made = await key.send("POST", LEADS, { name, status: first });
  const { id } = await bodyOf<{ id: string }>(made, 201);
  for (const status of later)
    assert.equal((await key.send("PATCH", `${LEADS}/${id}`, { status })).status, 200);
}

test("leads that became won, lost or open are found by the change of their status, also after it was renamed or means something else", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const statuses = async (body: object) =>
    assert.equal((await key.send("PUT", "/api/v1/statuses", body)).status, 200);
  await statuses({
    statuses: ["new", "won", "Assinado", "lost"],
    meanings: { Assinado: "won" },
  });
  await lead(key, "Ana", ["new", "won"]);
  await lead(key, "Bo", ["new", "won", "new"]);
  await lead(key, "Caio", ["won"]);
  await lead(key, "Davi", ["won", "Assinado"]);
  await lead(key, "Eva", ["lost", "Assinado"]);
  await lead(key, "Fay", ["new", "lost"]);
  const all = async () => ({
    won: await found(key, { type: "became.won" }),
    lost: await found(key, { type: "became.lost" }),
    open: await found(key, { type: "became.open" }),
  });
  const before = { won: "Ana Bo Eva", lost: "Fay", open: "Bo" };
  assert.deepEqual(await all(), before);
  await statuses({
    statuses: ["new", "Fechado 2026", "Contrato", "lost"],
    map: { won: "Fechado 2026", Assinado: "Contrato" },
  });
  assert.deepEqual(await all(), before, "a status that was renamed means what it meant");
  await statuses({ statuses: ["new", "Fechado 2026", "Contrato", "lost"], meanings: { lost: "won" } });
  assert.equal(await found(key, { type: "became.won" }), "Ana Bo Fay");
});

test("a change to won takes when, how often, conditions and its place, and is a figure beside all leads", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  await lead(key, "Ana", ["new", "won", "new", "won"]);
  await lead(key, "Bo", ["new", "won", "lost"]);
  await lead(key, "Caio", ["won"]);
  const type = "became.won";
  assert.equal(await found(key, { type, count: { op: "gte", value: 2 } }), "Ana");
  assert.equal(await found(key, { type, count: { op: "eq", value: 0 } }), "Caio");
  const today = { op: "in_last", value: { n: 1, unit: "day" } };
  assert.equal(await found(key, { type, occurred: today }), "Ana Bo");
  assert.equal(await found(key, { type, occurred: { op: "before", value: "2020-01-01" } }), "");
  assert.equal(await found(key, { type, where: { field: "data.from", op: "eq", value: "lost" } }), "");
  const metrics = [
    { op: "count" },
    { op: "count", as: "became_won", filter: { event: { type, occurred: today } } },
    { op: "count", as: "is_won", filter: { field: "status_meaning", op: "eq", value: "won" } },
  ];
  const { groups } = await post<{ groups: { metrics: object }[] }>(key, "aggregate", { metrics });
  assert.deepEqual(groups[0]?.metrics, { count: 3, became_won: 2, is_won: 2 });
  const filter = { event: { type, occurred: today } };
  const said = await post<{ sentence: string }>(key, "filters/validate", { filter });
  assert.match(said.sentence, /“became won” event/);
  for (const event of [{ type: [type, "call.made"] }, { type, pick: "last" }]) {
    const refused = await refusalOf(await key.send("POST", `${LEADS}/search`, { filter: { event } }));
    assert.deepEqual([refused.status, refused.code], [400, "unexpected"]);
  }
});
