import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../api/support/v1.ts";
import { addTrigger } from "../citus/triggers.ts";
import { type World, world } from "../world.ts";
import { acted, uploaded } from "./support/uploading.ts";

/** A job cannot be marked as done by its first try, as if PostgreSQL had ended at this moment. */
const failOnce = (the: World) =>
  addTrigger(
    the,
    "fails_once",
    `BEFORE UPDATE ON store.job FOR EACH ROW
      WHEN (NEW.state = 'done' AND OLD.state <> 'done' AND OLD.attempt = 1)`,
    "RAISE EXCEPTION 'this once';",
  );

test("an import, its dry run and its undo end together with their jobs, also when the first try fails at the end", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  const made = await uploaded(the, key, "external_id,name\ne1,Ana\ne2,Rui\n");
  await failOnce(the);
  const job = async () => {
    const latest = "SELECT state, attempt FROM store.job ORDER BY id DESC LIMIT 1";
    return (await the.sql<{ state: string; attempt: number }>(latest))[0];
  };
  for (const [act, state] of [
    ["dry-run", "ready"],
    ["commit", "done"],
    ["undo", "undone"],
  ] as const) {
    assert.equal((await acted(key, made.id, act)).state, state);
    for (let tries = 0; tries < 400 && (await job())?.state !== "done"; tries += 1) await sleep(50);
    assert.deepEqual({ ...(await job()) }, { state: "done", attempt: 2 }, `the job of ${act}`);
  }
});

test("an undo whose first try fails at the end counts and lists what it kept once", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = await uploaded(the, key, "external_id,name\ne1,Ana\ne2,Rui\n");
  await acted(key, id, "commit");
  const [lead] = await the.sql<{ id: string }>("SELECT id FROM store.lead LIMIT 1");
  await bodyOf(await key.send("PATCH", `/api/v1/leads/${lead?.id}`, { name: "Kept" }));
  await failOnce(the);
  assert.deepEqual((await acted(key, id, "undo")).undo, { deleted: 1, restored: 0, left: 1 });
  const { leads } = await bodyOf<{ leads: object[] }>(await key.send("GET", `/api/v1/imports/${id}/kept`));
  assert.equal(leads.length, 1);
});
