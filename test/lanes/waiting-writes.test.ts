import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { heldLead } from "../held-lead.ts";
import { uploaded } from "../imports/support/uploading.ts";
import { lockWaits } from "../lock-waits.ts";
import { world } from "../world.ts";

test("writes that wait for a lock leave other projects their connections", async () => {
  await using the = await world();
  const loud = await the.key(["leads:read", "leads:write"]);
  const other = await the.newProject(await the.newPerson("Bo"));
  const quiet = await the.key(["leads:read", "leads:write"], other.id);
  await using held = await heldLead(the, loud);
  const { id, holder } = held;
  const waiting = Array.from({ length: 30 }, (_, i) =>
    loud.send("PATCH", `/api/v1/leads/${id}`, { score: i }),
  );
  while ((await lockWaits(the)) < 2) await sleep(20);
  for (let i = 0; i < 10; i += 1) {
    assert.equal((await quiet.send("POST", "/api/v1/leads", { name: `Bo ${i}` })).status, 201);
    assert.equal((await quiet.query({ project_id: other.id })).status, 200);
    assert.equal((await loud.query({ limit: 1 })).status, 200, "reads of the same project go on, too");
  }
  await holder.query("COMMIT");
  for (const answer of await Promise.all(waiting)) {
    assert.ok([200, 429, 503].includes(answer.status), String(answer.status));
    if (answer.status !== 200) assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
  }
});

test("calls that wait for one import leave other projects, tokens and sign-in their connections", async () => {
  await using the = await world();
  const loud = await the.key(["leads:read", "leads:write"]);
  const other = await the.newProject(await the.newPerson("Bo"));
  const quiet = await the.key(["leads:read", "leads:write"], other.id);
  const { id } = await uploaded(the, loud, "name\nAna\n");
  const mapping = { columns: { name: "name" } };
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM store.import WHERE project_id = $1 AND id = $2 FOR UPDATE", [
      the.project.id,
      id,
    ]);
    const waiting = Array.from({ length: 10 }, () => [
      loud.send("PUT", `/api/v1/imports/${id}/mapping`, mapping),
      loud.send("GET", `/api/v1/imports/${id}/fields`),
      loud.send("POST", `/api/v1/imports/${id}/cancel`),
    ]).flat();
    while ((await lockWaits(the)) < 6) await sleep(20);
    for (let i = 0; i < 5; i += 1) {
      assert.equal((await quiet.query({ project_id: other.id })).status, 200);
      assert.equal((await quiet.send("POST", "/api/v1/leads", { name: `Bo ${i}` })).status, 201);
      assert.equal((await fetch(`${the.authUrl}/sign-in`)).status, 200);
      const refresh = await fetch(`${the.authUrl}/api/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none", client_id: "none" }),
      });
      assert.ok(refresh.status < 500, `a token was answered with ${refresh.status}`);
      assert.equal((await loud.query({ limit: 1 })).status, 200, "reads of the same project go on, too");
      assert.equal((await loud.send("GET", `/api/v1/imports/${id}`)).status, 200, "and so does its progress");
    }
    await the.signedIn();
    await holder.query("COMMIT");
    for (const answer of await Promise.all(waiting))
      assert.ok([200, 409, 429, 503].includes(answer.status), String(answer.status));
  } finally {
    await holder.end();
  }
});
