import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keepWorking } from "../../../src/domain/upkeep/keep-working.ts";
import { bodyOf, refusalOf } from "../../api/support/v1.ts";
import { erasePerson } from "../../erasure/support/erasing.ts";
import { lockWaits } from "../../lock-waits.ts";
import { type World, world } from "../../world.ts";
import { acted, ended, uploaded } from "../support/uploading.ts";

const fieldsOf = async (the: World) =>
  (
    await the.sql<{ key: string }>("SELECT key FROM store.custom_field WHERE project_id = $1 ORDER BY key", [
      the.project.id,
    ])
  ).map(({ key }) => key);

const PLAN = {
  columns: { email: "email", x: "custom.plan" },
  fields: { plan: { label: "Plan", type: "text" } },
};

test("a mapping that is set while the commit starts creates no field without schema:write", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  for (let round = 0; round < 15; round += 1) {
    const { id } = await uploaded(the, key, "email,x\na@x.example,gold\n");
    const path = `/api/v1/imports/${id}`;
    await bodyOf(await key.send("PUT", `${path}/mapping`, { columns: { email: "email" } }));
    const holder = new pg.Client({ connectionString: the.databaseUrl });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM store.import WHERE project_id = $1 AND id = $2 FOR UPDATE", [
      the.project.id,
      id,
    ]);
    const waiting = async (count: number) => {
      while ((await lockWaits(the)) < count) await sleep(5);
    };
    const commit = key.send("POST", `${path}/commit`);
    await waiting(1);
    const mapped = key.send("PUT", `${path}/mapping`, PLAN);
    await waiting(2);
    await holder.query("COMMIT");
    await holder.end();
    await Promise.all([commit, mapped]);
    await ended(key, id);
  }
  assert.deepEqual(await fieldsOf(the), []);
});

test("an import whose fields are deleted before its job runs fails, and creates none without schema:write", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const writer = await the.key(["leads:read", "leads:write"]);
  const keeper = await the.key(["leads:read", "leads:write", "schema:write"]);
  const { id } = await uploaded(the, writer, "email,x\na@x.example,gold\n");
  const path = `/api/v1/imports/${id}`;
  await bodyOf(
    await keeper.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" }),
    201,
  );
  await bodyOf(await writer.send("PUT", `${path}/mapping`, PLAN));
  await bodyOf(await writer.send("POST", `${path}/commit`), 202);
  assert.equal((await keeper.send("DELETE", "/api/v1/fields/plan?force=true")).status, 204);
  const stop = keepWorking(the.service);
  try {
    const failed = await ended(writer, id);
    assert.deepEqual([failed.state, failed.error?.code, failed.rows], ["failed", "fields_missing", 0]);
    assert.deepEqual(await fieldsOf(the), []);
    assert.equal((await refusalOf(await writer.send("POST", `${path}/commit`))).status, 403);
    assert.equal((await acted(keeper, id, "commit")).created, 1);
    assert.deepEqual(await fieldsOf(the), ["plan"]);
  } finally {
    await stop();
  }
});

test("a refused commit creates no fields, and an erased import is refused as erased in every state", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write", "leads:erase"]);
  const { id } = await uploaded(the, key, "email,x\nzoe@x.example,gold\n");
  await bodyOf(await key.send("PUT", `/api/v1/imports/${id}/mapping`, PLAN));
  const done = await uploaded(the, key, "email\nzoe@x.example\n");
  await acted(key, done.id, "commit");
  await erasePerson(key, { email: "zoe@x.example", expected_leads: 1 });
  for (const each of [id, done.id]) {
    const { status, code } = await refusalOf(await key.send("POST", `/api/v1/imports/${each}/commit`));
    assert.deepEqual([status, code], [410, "erased"]);
  }
  assert.deepEqual(await fieldsOf(the), []);
});

test("a field that a mapping declares obeys the rules of every custom field, and the refusal names it", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const { id } = await uploaded(the, key, "email,x\na@x.example,gold\n");
  const bad: [field: object, code: string, path: string][] = [
    [{ label: " ", type: "text" }, "required", "label"],
    [{ label: "Plan", type: "enum" }, "required", "options"],
    [{ label: "Plan", type: "enum", options: ["gold", "gold"] }, "repeated", "options"],
    [{ label: "Plan", type: "enum", options: [" gold"] }, "white_space", "options[0]"],
    [{ label: "Plan", type: "text", options: ["gold"] }, "unexpected", "options"],
  ];
  for (const [plan, code, path] of bad) {
    const answer = await key.send("PUT", `/api/v1/imports/${id}/mapping`, { ...PLAN, fields: { plan } });
    const refused = await refusalOf(answer);
    assert.deepEqual([refused.status, refused.code, refused.paths], [400, code, [`$.fields.plan.${path}`]]);
  }
});
