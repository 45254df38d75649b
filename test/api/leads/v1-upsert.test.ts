import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../../world.ts";
import { leadOf, refusalOf, writer } from "../support/writing.ts";

const upsert = (key: KeyActor, lead: object, matchOn?: unknown) =>
  key.send("PUT", "/api/v1/leads/upsert", { ...(matchOn === undefined ? {} : { match_on: matchOn }), lead });

test("an upsert without an identity to look for is 422", async () => {
  await using the = await world();
  const key = await writer(the);
  const code = async (lead: object, matchOn?: unknown) => {
    const said = await refusalOf(await upsert(key, lead, matchOn));
    return [said.status, said.code, said.details[0]?.path];
  };
  assert.deepEqual(await code({ name: "x" }), [422, "no_identity", "$.lead"]);
  assert.deepEqual(await code({ email: "a@b.co" }, ["phone"]), [422, "no_identity", "$.lead"]);
  assert.deepEqual(await code({ phone: "123" }, "phone"), [422, "not_a_phone", "$.lead.phone"]);
  assert.equal((await code({ email: "a@b.co" }, ["name"]))[0], 400);
  assert.equal((await code({ email: "nope" }))[0], 422);
});

test("a lead erased for good is gone with its timeline and what was merged into it, and the audit log holds no data of it", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "leads:erase"]);
  const lead = await leadOf(
    await key.send("POST", "/api/v1/leads", { email: "secret@example.org", name: "Secret" }),
    201,
  );
  const merged = await leadOf(await key.send("POST", "/api/v1/leads", { email: "secret2@example.org" }), 201);
  const other = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Stays" }), 201);
  await the.sql("UPDATE store.lead SET merged_into_id = $1 WHERE id = $2", [lead.id, merged.id]);
  await the.sql(
    "INSERT INTO store.merge (project_id, id, winner_id, loser_id, changes, actor) VALUES ($1, 'mrg_1', $2, $3, '{}', '{}')",
    [the.project.id, lead.id, merged.id],
  );
  const path = (id: string) => `/api/v1/leads/${id}?erase=true`;
  const said = await refusalOf(await (await writer(the)).send("DELETE", path(lead.id)));
  assert.deepEqual([said.status, said.code], [403, "missing_permission"]);
  assert.equal((await refusalOf(await key.send("DELETE", path(merged.id)))).code, "merged");
  await key.send("DELETE", `/api/v1/leads/${lead.id}`);
  assert.equal((await key.send("DELETE", path(lead.id))).status, 204);
  assert.equal((await key.send("DELETE", path(lead.id))).status, 404);
  assert.deepEqual(await the.sql("SELECT id FROM store.lead"), [{ id: other.id }]);
  assert.deepEqual(await the.sql("SELECT lead_id FROM store.event"), [{ lead_id: other.id }]);
  assert.deepEqual(await the.sql("SELECT id FROM store.merge"), []);
  const audit = await the.sql<{ actor: string; data: object }>(
    "SELECT actor, data FROM audit WHERE action = 'lead.erased'",
  );
  assert.deepEqual(audit, [{ actor: key.id, data: { lead_id: lead.id, merged: 1 } }]);
});
