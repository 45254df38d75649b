import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../api/support/v1.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { importText, leadsOf } from "./support/importing.ts";
import { acted, ended, type ImportBody, sums, uploaded } from "./support/uploading.ts";

test("an import cancelled at a random time has stored what it counted, and its undo restores the previous values", (t) =>
  cancelledAtRandom(t, 1));

large(
  "ten imports cancelled at random times have stored what they counted, and their undo restores the previous values",
  (t) => cancelledAtRandom(t, 10),
);

async function cancelledAtRandom(t: TestContext, rounds: number): Promise<void> {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const known = Array.from({ length: 2_000 }, (_, i) => `k${i},Old ${i},Rio`);
  await importText(the, `external_id,name,city\n${known.join("\n")}\n`);
  const living = async () => (await leadsOf(the)).filter((lead) => lead.deleted_at === null);
  const shown = async () =>
    (await living()).map(({ id, name, city, external_id }) => [id, external_id, name, city]);
  const before = await shown();
  const read = async (id: string) => bodyOf<ImportBody>(await key.send("GET", `/api/v1/imports/${id}`));
  for (let round = 0; round < rounds; round += 1) {
    const rows = Array.from({ length: 8_000 }, (_, i) =>
      i % 4 === 0 ? `k${i / 4},New ${round}.${i},` : `r${round}.${i},Fresh ${i},Recife`,
    );
    const made = await uploaded(the, key, `external_id,name,city\n${rows.join("\n")}\n`);
    await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/commit`), 202);
    const moment = Math.random() * 8_000;
    while ((await read(made.id)).rows < moment - 2_000) await sleep(5);
    await sleep(Math.random() * 100);
    const answer = await key.send("POST", `/api/v1/imports/${made.id}/cancel`);
    assert.ok([200, 409].includes(answer.status));
    const counted = await ended(key, made.id);
    const [, created = 0, updated = 0] = sums(counted);
    const touched = await living();
    assert.equal(touched.length, 2_000 + created);
    assert.equal(touched.filter(({ name }) => name?.startsWith(`New ${round}.`)).length, updated);
    t.diagnostic(`${counted.state} at ${counted.rows} rows`);
    const undone = await acted(key, made.id, "undo");
    assert.deepEqual(
      [undone.state, undone.undo],
      ["undone", { deleted: created, restored: updated, left: 0 }],
    );
    assert.deepEqual(await shown(), before);
  }
}

test("an undo during concurrent changes keeps and lists those changes, and restores the rest", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const rows = Array.from({ length: 2_000 }, (_, i) => `u${i},Person ${i}`);
  const made = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
  await acted(key, made.id, "commit");
  const leads = await leadsOf(the);
  await bodyOf<ImportBody>(await key.send("POST", `/api/v1/imports/${made.id}/undo`), 202);
  const changed: string[] = [];
  for (let i = leads.length - 1; i >= 0; i -= 40) {
    const id = leads[i]?.id ?? "";
    const { status } = await key.send("PATCH", `/api/v1/leads/${id}`, { city: "Natal" });
    assert.ok(status === 200 || status === 404, String(status));
    if (status === 200) changed.push(id);
  }
  const { undo, state } = await ended(key, made.id);
  assert.equal(state, "undone");
  const left = (await leadsOf(the)).filter((lead) => lead.deleted_at === null).map(({ id }) => id);
  assert.deepEqual(left.toSorted(), changed.toSorted());
  assert.deepEqual(undo, { deleted: 2_000 - changed.length, restored: 0, left: changed.length });
});
