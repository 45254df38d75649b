import assert from "node:assert/strict";
import { test } from "node:test";
import { heldLead } from "../held-lead.ts";
import { world } from "../world.ts";

test("a write that waits for a lock delays no other write of its project, and is done once the lock is free", async () => {
  // On a cluster, writes share no messages, and a slow machine needs longer for all of them.
  const limits = { wait: 30, query: 15, write: 60 };
  await using the = await world({ env: { TIME_LIMITS: JSON.stringify(limits) } });
  const key = await the.key(["leads:read", "leads:write"]);
  const ids: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    const created = await key.send("POST", "/api/v1/leads", { name: `Bo ${n}` });
    ids.push(((await created.json()) as { id: string }).id);
  }
  await using held = await heldLead(the, key);
  let isFree = false;
  const patch = (id: string, score: number) => key.send("PATCH", `/api/v1/leads/${id}`, { score });
  const waiting = patch(held.id, 1).then((answer) => {
    assert.ok(isFree, "the lead is changed while it is locked");
    return answer;
  });
  // More at once than there are connections for one project, so that they share messages with the one that waits.
  const others = ids.flatMap((id, n) => [
    patch(id, n),
    key.send("POST", "/api/v1/leads", { name: `Cy ${n}`, external_id: `cy-${n}` }),
    key.send("PUT", "/api/v1/leads/upsert", {
      match_on: "external_id",
      lead: { external_id: `up-${n % 20}` },
    }),
  ]);
  for (const answer of await Promise.all(others)) assert.ok(answer.ok, `${answer.status}`);
  isFree = true;
  await held.holder.query("COMMIT");
  assert.equal((await waiting).status, 200);
  for (const [n, id] of ids.entries()) {
    const lead = await key.send("GET", `/api/v1/leads/${id}`);
    const { score, version } = (await lead.json()) as { score: number; version: number };
    assert.deepEqual({ score, version }, { score: n, version: 2 });
  }
  const page = await key.query({ limit: 1, total: "exact" });
  const { page_info: info } = (await page.json()) as { page_info: { total: number } };
  assert.equal(info.total, ids.length + 1 + ids.length + 20);
});
