import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { readTimeLimits } from "../../src/config/read-connections.ts";
import { leadOf } from "../api/support/writing.ts";
import { lockWaits } from "../lock-waits.ts";
import { world } from "../world.ts";
import { eraser, unzipped } from "./support/erasing.ts";

test("erasing and exporting a person are answered even if they take longer than other calls may be silent", async () => {
  await using the = await world({
    config: { silenceMs: 1_000, timeLimits: readTimeLimits({ query: 120, write: 120, job: 120 }) },
  });
  const key = await eraser(the);
  const made = async (lead: object) => (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const email = "ana.long@example.org";
  const [exported, erased, other] = [
    await made({ email }),
    await made({ name: "Cy" }),
    await made({ name: "Bo" }),
  ];
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM store.lead WHERE project_id = $1 AND id = $2 FOR UPDATE", [
    the.project.id,
    other,
  ]);
  await holder.query("LOCK TABLE store.change_item IN ACCESS EXCLUSIVE MODE");
  const archive = key.send("POST", "/api/v1/people/export", { email });
  const erasing = key.send("DELETE", `/api/v1/leads/${erased}?erase=true`);
  for (const call of [archive, erasing]) call.catch(() => undefined);
  while ((await lockWaits(the, "%change_item%")) < 2) await sleep(10);
  // A call that began later and is cut off shows that the other two were silent for as long.
  const cut = await key.send("PATCH", `/api/v1/leads/${other}`, { name: "Di" }).catch(() => "cut");
  assert.equal(cut, "cut");
  await holder.query("ROLLBACK");
  await holder.end();
  assert.equal((await erasing).status, 204);
  const files = await unzipped(await archive);
  assert.match(files["leads.json"] ?? "", new RegExp(exported));
});
