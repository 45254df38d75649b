import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../../src/domain/upkeep/keep-working.ts";
import { sweep } from "../../../src/domain/upkeep/sweep.ts";
import { bodyOf } from "../../api/support/v1.ts";
import { leadOf, refusalOf, writer } from "../../api/support/writing.ts";
import { earlier } from "../../citus/earlier.ts";
import { make, written } from "../../datasets/support/dataset.ts";
import { IMPORTER, imported } from "../../datasets/support/importing.ts";
import { slowWrites } from "../../slow-writes.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { acted, ended, type ImportBody, uploaded } from "../support/uploading.ts";

const FIVE_DAYS = { env: { CHANGES: '{"keptDays":5}' } };
const FEW_BYTES = { env: { CHANGES: '{"keptBytes":10}' } };

const sixDaysLater = async (the: World) => {
  await the.sql(`UPDATE store.change SET created_at = ${earlier("created_at", "interval '6 days'")}`);
  await sweep(the.service);
};

async function refused(key: KeyActor, path: string): Promise<void> {
  const { status, code } = await refusalOf(await key.send("POST", `/api/v1/${path}/undo`, {}));
  assert.deepEqual([status, code], [409, "values_gone"], path);
}

const recordOf = async (key: KeyActor, id: string): Promise<ImportBody> =>
  await bodyOf<ImportBody>(await key.send("GET", `/api/v1/imports/${id}`));

const leadsOf = async (the: World): Promise<number> =>
  (
    await the.sql<{ n: number }>(
      "SELECT count(*)::int AS n FROM store.lead WHERE project_id = $1 AND deleted_at IS NULL",
      [the.project.id],
    )
  )[0]?.n ?? 0;

test("an import whose change is kept no longer cannot be undone (409), and stays done", async () => {
  await using the = await world(FIVE_DAYS);
  const key = await writer(the);
  const { id } = await uploaded(the, key, "external_id,name\na,Ana\nb,Bia\n");
  await acted(key, id, "commit");
  await sixDaysLater(the);
  await refused(key, `imports/${id}`);
  assert.deepEqual([(await recordOf(key, id)).state, await leadsOf(the)], ["done", 2]);
});

test("an import that wrote nothing is undone to nothing, whatever is kept", async () => {
  await using the = await world(FIVE_DAYS);
  const key = await writer(the);
  const { id } = await uploaded(the, key, "external_id,email\nbad,nobody\n");
  assert.equal((await acted(key, id, "commit")).change_id, null);
  await sixDaysLater(the);
  const { state, undo } = await acted(key, id, "undo");
  assert.deepEqual([state, undo], ["undone", { deleted: 0, restored: 0, left: 0 }]);
});

test("an import whose former values a project no longer keeps cannot be undone, by itself as by its change", async () => {
  await using the = await world(FEW_BYTES);
  const key = await writer(the);
  await bodyOf(await key.send("PUT", "/api/v1/quiet-fields", { fields: ["city"] }));
  const ana = await leadOf(
    await key.send("POST", "/api/v1/leads", { external_id: "a", name: "Ana", city: "Natal" }),
    201,
  );
  const { id } = await uploaded(the, key, "external_id,name,city\na,Anna,Olinda\n");
  const { change_id: change } = await acted(key, id, "commit");
  await sweep(the.service);
  await refused(key, `changes/${change}`);
  await refused(key, `imports/${id}`);
  const { name, city } = await leadOf(await key.send("GET", `/api/v1/leads/${ana.id}`));
  assert.deepEqual([name, city, (await recordOf(key, id)).state], ["Anna", "Olinda", "done"]);
});

test("the same holds for an import into a dataset", async () => {
  for (const [kept, later] of [
    [FIVE_DAYS, sixDaysLater],
    [FEW_BYTES, (the: World) => sweep(the.service)],
  ] as const) {
    await using the = await world(kept);
    const key = await the.key(IMPORTER);
    await make(key);
    await written(key, [{ domain: "a", name: "Old" }]);
    const { id } = await imported(the, key, "domain,name\na,New\n");
    await later(the);
    await refused(key, `imports/${id}`);
    assert.equal((await recordOf(key, id)).state, "done");
  }
});

test("an undo that began in time keeps what it needs until it has ended", async () => {
  await using the = await world({ env: { ...FIVE_DAYS.env, ROLE: "api" } });
  const key = await the.key([...IMPORTER, "leads:read", "leads:write"]);
  await make(key);
  const worked = async (work: () => Promise<ImportBody>) => {
    const stop = keepWorking(the.service);
    return await work().finally(stop);
  };
  const leads = (await uploaded(the, key, "external_id,name\na,Ana\n")).id;
  await worked(() => acted(key, leads, "commit"));
  const rows = (await worked(() => imported(the, key, "domain,name\na,New\n"))).id;
  for (const id of [leads, rows]) await bodyOf(await key.send("POST", `/api/v1/imports/${id}/undo`), 202);
  await the.sql("UPDATE store.import SET expires_at = now()");
  await sixDaysLater(the);
  for (const id of [leads, rows]) {
    const { state, undo } = await worked(() => ended(key, id));
    assert.deepEqual([state, undo], ["undone", { deleted: 1, restored: 0, left: 0 }]);
  }
});

test("the sweep leaves an undo what it needs; if that is gone nevertheless, it fails and says so, after what it has put back", async () => {
  await using the = await world({ env: { ...FIVE_DAYS.env, ROLE: "api" } });
  const key = await writer(the);
  const rows = Array.from({ length: 1_200 }, (_, i) => `e${i},Person ${i}`);
  const { id } = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
  const stop = keepWorking(the.service);
  const { change_id: change } = await acted(key, id, "commit");
  const usual = await slowWrites(the, "lead", 1);
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/undo`), 202);
  while ((await recordOf(key, id)).undo === null) await sleep(20);
  await stop();
  await usual();
  const left = await leadsOf(the);
  assert.ok(left > 0 && left < 1_200, String(left));
  await sixDaysLater(the);
  assert.equal((await the.sql("DELETE FROM store.change WHERE id = $1 RETURNING id", [change])).length, 1);
  const stopAgain = keepWorking(the.service);
  const failed = await ended(key, id);
  await stopAgain();
  assert.deepEqual(
    [failed.state, failed.error?.code, failed.undo, await leadsOf(the)],
    ["done", "values_gone", { deleted: 1_200 - left, restored: 0, left: 0 }, left],
  );
  await refused(key, `imports/${id}`);
});

test("an import that goes on after its change was removed cannot be undone, because only a part of it could be", async () => {
  await using the = await world(FIVE_DAYS);
  const key = await writer(the);
  const { id } = await uploaded(the, key, "external_id,name\na,Ana\nb,Bia\n");
  const { change_id: change } = await acted(key, id, "commit");
  await sixDaysLater(the);
  // As if the import had been cancelled after its first row.
  await the.sql("UPDATE store.import SET state = 'cancelled', rows = 1, created = 1 WHERE id = $1", [id]);
  await the.sql("UPDATE store.lead SET name = 'Other' WHERE external_id = 'b'");
  assert.equal((await acted(key, id, "commit")).updated, 1);
  await refused(key, `imports/${id}`);
  await refused(key, `changes/${change}`);
});
