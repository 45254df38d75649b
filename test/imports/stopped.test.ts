import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { bodyOf } from "../api/support/v1.ts";
import { large } from "../large.ts";
import { slowWrites } from "../slow-writes.ts";
import { world } from "../world.ts";
import { acted, ended, type ImportBody, sums, uploaded } from "./support/uploading.ts";

large(
  "a worker that stops during a long import puts it back, and the next one continues with the rest",
  async () => {
    await using the = await world({ env: { ROLE: "api" } });
    const key = await the.key(["leads:read", "leads:write", "schema:write"]);
    const rows = Array.from({ length: 30_000 }, (_, i) => `e${i},Person ${i}`);
    const made = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
    await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/commit`), 202);
    const read = () =>
      key.send("GET", `/api/v1/imports/${made.id}`).then((answer) => bodyOf<ImportBody>(answer));
    const usual = await slowWrites(the, "lead");
    const stop = keepWorking(the.service);
    while ((await read()).rows === 0) await sleep(5);
    await stop();
    const states = () => the.sql<{ state: string }>("SELECT state FROM store.job");
    while ((await states())[0]?.state === "running") await sleep(20);
    assert.deepEqual(await states(), [{ state: "waiting" }]);
    const left = await read();
    assert.ok(left.rows > 0 && left.rows < 30_000);
    const [stored] = await the.sql<{ n: number }>("SELECT count(*)::integer AS n FROM store.lead");
    assert.equal(stored?.n, left.rows);
    await usual();
    const stopAgain = keepWorking(the.service);
    const done = await ended(key, made.id);
    await stopAgain();
    assert.deepEqual([done.state, ...sums(done)], ["done", 30_000, 30_000, 0, 0, 0, 0]);
  },
);

test("an undo that a stop interrupted still says why it kept a lead", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const rows = Array.from({ length: 2_000 }, (_, i) => `e${i},Person ${i}`);
  const { id } = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
  const stop = keepWorking(the.service);
  await acted(key, id, "commit");
  const [first] = await the.sql<{ id: string }>("SELECT id FROM store.lead ORDER BY id LIMIT 1");
  const met = { type: "call.made", title: "Called" };
  await bodyOf(await key.send("POST", `/api/v1/leads/${first?.id}/events`, met), 201);
  const usual = await slowWrites(the, "lead", 1);
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/undo`), 202);
  const kept = () => the.sql("SELECT FROM store.change_item WHERE kind = 'kept'");
  while ((await kept()).length === 0) await sleep(20);
  await stop();
  await usual();
  const stopAgain = keepWorking(the.service);
  const { undo } = await ended(key, id);
  await stopAgain();
  assert.deepEqual(undo, { deleted: 1_999, restored: 0, left: 1 });
  const left = await bodyOf<{ leads: { reason: string }[] }>(
    await key.send("GET", `/api/v1/imports/${id}/kept`),
  );
  assert.deepEqual(
    left.leads.map(({ reason }) => reason),
    ["has_events"],
  );
});
