import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceDoor } from "../../src/db/pool/project-door.ts";
import { type RateCheck, RateChecked } from "../../src/db/pool/rate-checked.ts";
import { world } from "../world.ts";

/** A rate check that always passes. */
const free: RateCheck = {
  statement: (pass) => ({ text: "SELECT set_config('leadgate.pass', $1, false)", values: [pass] }),
  admit: () => undefined,
};

test("a rate check before its work is never queued behind another query, even on a connection that just failed", async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on("warning", hear);
  await using the = await world();
  const { db } = the.service;
  const door = serviceDoor(the.project.id);
  for (let round = 0; round < 20; round += 1) {
    await assert.rejects(new RateChecked(db, free).behind(door).query("SELECT 1 / 0"), /division by zero/);
    const rows = await new RateChecked(db, free)
      .behind(door)
      .query("SELECT project_id AS id FROM project WHERE project_id = $1", [the.project.id]);
    assert.deepEqual(rows, [{ id: the.project.id }]);
  }
  await new Promise(setImmediate);
  process.off("warning", hear);
  assert.deepEqual(
    warnings.filter((message) => message.includes("already executing")),
    [],
  );
});

test("a rate check and its work both fail when their connection is lost", async () => {
  await using the = await world();
  const { db } = the.service;
  const door = serviceDoor(the.project.id);
  const lost = assert.rejects(new RateChecked(db, free).behind(door).query("SELECT pg_sleep(30)"));
  for (let ended = 0; ended === 0; ) {
    const found = await the.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()",
    );
    ended = found.length;
  }
  await lost;
});
