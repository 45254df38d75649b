import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { heldLead } from "../held-lead.ts";
import { large } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { world } from "../world.ts";

/** Longer than the time limit of the write below, with the second that is added to it. */
const STALL_MS = 3_300;

large("an answer that arrived while the process was busy counts, however late it is read", async () => {
  await using the = await world({ env: { TIME_LIMITS: JSON.stringify({ write: 2 }) } });
  const key = await the.key(["leads:read", "leads:write"]);
  await using held = await heldLead(the, key);
  const { id, holder } = held;
  const change = key.send("PATCH", `/api/v1/leads/${id}`, { score: 7 });
  while ((await lockWaits(the)) < 1) await sleep(20);
  const released = holder.query("SELECT pg_sleep(0.2); COMMIT");
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
  await released;
  const answer = await change;
  assert.equal(answer.status, 200, await answer.text());
});

large("writes that wait for a row fail nothing of those in the same message", async () => {
  await using the = await world({ env: { TIME_LIMITS: JSON.stringify({ fast: 0.1, query: 1 }) } });
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  const { db } = the.service;
  const waits = { text: "SELECT FROM person WHERE id = $1 FOR UPDATE", values: [the.person.id] };
  const writes = { text: "UPDATE person SET name = $2 WHERE id = $1 RETURNING name" };
  const other = await the.newPerson("Bo");
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM leadgate.person WHERE id = $1 FOR UPDATE", [the.person.id]);
    const [written, ...waited] = await Promise.allSettled([
      db.together([{ ...writes, values: [other.id, "Bea"] }]),
      ...[1, 2, 3].map(() => db.together([waits])),
    ]);
    assert.deepEqual(written, { status: "fulfilled", value: [{ name: "Bea" }] });
    for (const { status } of waited) assert.equal(status, "rejected");
  } finally {
    await holder.end();
  }
});
