import assert from "node:assert/strict";
import { test } from "node:test";
import { importText } from "../../imports/support/importing.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { leadOf, refusalOf, told, writer } from "../support/writing.ts";

const upsert = (key: KeyActor, lead: object, matchOn?: unknown) =>
  key.send("PUT", "/api/v1/leads/upsert", { ...(matchOn === undefined ? {} : { match_on: matchOn }), lead });

const howMany = async (the: World) =>
  (
    await the.sql<{ n: number }>("SELECT count(*)::int AS n FROM store.lead WHERE project_id = $1", [
      the.project.id,
    ])
  )[0]?.n;

test("fifty racing upserts of one identity make one lead, whatever else they bring", async () => {
  await using the = await world();
  const key = await writer(the);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      upsert(key, {
        email: i % 2 === 0 ? "ana@example.org" : "ANA@example.org",
        name: `n${i}`,
        external_id: i % 5 === 0 ? "x1" : null,
      }),
    ),
  );
  const outcomes = answers.map((answer) => answer.headers.get("x-leadgate-outcome"));
  assert.equal(outcomes.filter((outcome) => outcome === "created").length, 1);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201]);
  assert.equal(await howMany(the), 1);
});

test("an import and upserts of the same people at once make each of them once", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const emails = Array.from({ length: 30 }, (_, i) => `p${i}@example.org`);
  const file = `email,name\n${emails.map((email) => `${email},file`).join("\n")}\n`;
  await Promise.all([importText(the, file), ...emails.map((email) => upsert(key, { email, name: "api" }))]);
  assert.equal(await howMany(the), emails.length);
});

test("an upsert finds by the surest identity first, and by no lead that carries another external id", async () => {
  await using the = await world();
  const key = await writer(the);
  const first = await leadOf(
    await upsert(key, { external_id: "a", email: "ana@example.org", phone: "+5511912345678" }),
    201,
  );
  const same = await upsert(key, { external_id: "a", email: "new@example.org" });
  assert.equal(same.headers.get("x-leadgate-outcome"), "updated");
  assert.deepEqual((await leadOf(same)).id, first.id);
  const again = await upsert(key, { external_id: "a", email: "new@example.org" });
  assert.equal(again.headers.get("x-leadgate-outcome"), "unchanged");
  assert.equal((await leadOf(again)).version, 2);
  const other = await leadOf(await upsert(key, { external_id: "b", email: "NEW@example.org" }), 201);
  assert.notEqual(other.id, first.id);
  const byPhone = await leadOf(await upsert(key, { phone: "+55 11 91234-5678", city: "SP" }, "phone"));
  assert.deepEqual([byPhone.id, byPhone.city], [first.id, "SP"]);
  assert.equal((await told(the, other.id)).length, 1);
});

test("several leads with the identity are 409 with their ids, and nothing is written", async () => {
  await using the = await world();
  const key = await writer(the);
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1)
    ids.push((await leadOf(await key.send("POST", "/api/v1/leads", { email: "ana@example.org" }), 201)).id);
  const said = await refusalOf(await upsert(key, { email: "ana@example.org", name: "x" }));
  assert.deepEqual([said.status, said.code], [409, "ambiguous"]);
  assert.deepEqual(said.details.map(({ message }) => message).sort(), ids.sort());
  await key.send("DELETE", `/api/v1/leads/${ids[0]}`);
  await key.send("DELETE", `/api/v1/leads/${ids[1]}`);
  assert.equal((await leadOf(await upsert(key, { email: "ana@example.org", name: "x" }))).id, ids[2]);
});

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
