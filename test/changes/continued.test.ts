import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, type Record_, refusalOf, writer } from "../api/support/writing.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { type KeyActor, type World, world } from "../world.ts";

interface UndoBody {
  change_id: string | null;
  job_id: string | null;
  counts: Record<string, number>;
  total: number;
  complete: boolean;
  records: { id: string; put_back: string[]; kept: { field: string | null; reason: string }[] }[];
}

interface Shown {
  counts: Record<string, number>;
  undone_by: string | null;
  reversible: boolean;
  irreversible: string | null;
  state: string;
  records: { id: string; outcome: string; kept: { field: string | null }[] }[];
}

const changeOf = async (response: Response): Promise<string> => {
  assert.ok(response.ok, await response.text());
  return response.headers.get("x-leadgate-change") ?? assert.fail("the answer names no change");
};

const undo = async (key: KeyActor, id: string, body: object = {}, status = 200): Promise<UndoBody> =>
  await bodyOf<UndoBody>(await key.send("POST", `/api/v1/changes/${id}/undo`, body), status);

const shown = async (key: KeyActor, id: string): Promise<Shown> =>
  await bodyOf<Shown>(await key.send("GET", `/api/v1/changes/${id}`));

const read = async (key: KeyActor, id: string): Promise<Record_> =>
  await leadOf(await key.send("GET", `/api/v1/leads/${id}`));

const patch = async (key: KeyActor, id: string, fields: object): Promise<string> =>
  await changeOf(await key.send("PATCH", `/api/v1/leads/${id}`, fields));

const create = async (key: KeyActor, lead: object): Promise<string> =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const second = async (the: World): Promise<KeyActor> => await the.key(["leads:read", "leads:write"]);

test("what an undo kept is taken back by undoing the change again, as the same undo, until nothing is kept", async () => {
  await using the = await world();
  const [key, other] = [await writer(the), await second(the)];
  const id = await create(key, { name: "1", city: "Natal" });
  const first = await patch(key, id, { name: "2", city: "Recife" });
  const next = await patch(other, id, { name: "3" });
  const begun = await undo(key, first);
  assert.deepEqual([begun.records[0]?.put_back, begun.counts.kept, begun.total], [["city"], 1, 1]);
  const partly = await shown(key, first);
  assert.deepEqual([partly.undone_by, partly.reversible], [begun.change_id, true]);
  // Nothing has become possible yet.
  assert.equal((await undo(key, first)).change_id, null);
  await undo(other, next);
  assert.equal((await read(key, id)).name, "2");
  const dry = await undo(key, first, { dry_run: true });
  const answer = await key.send("POST", `/api/v1/changes/${first}/undo`, {});
  assert.equal(answer.headers.get("x-leadgate-change"), begun.change_id);
  const rest = await bodyOf<UndoBody>(answer);
  assert.deepEqual([rest.change_id, rest.counts, dry.counts], [begun.change_id, rest.counts, rest.counts]);
  assert.deepEqual([rest.records[0]?.put_back, rest.counts.kept, rest.total], [["name"], 0, 1]);
  const { name, city } = await read(key, id);
  assert.deepEqual([name, city], ["1", "Natal"]);
  const whole = await shown(key, begun.change_id ?? "");
  assert.deepEqual([whole.counts, whole.records.map(({ kept }) => kept.length)], [{ leads_updated: 2 }, [0]]);
  const { reversible, irreversible } = await shown(key, first);
  assert.deepEqual([reversible, irreversible], [false, "undone"]);
  const refused = await refusalOf(await key.send("POST", `/api/v1/changes/${first}/undo`, {}));
  assert.deepEqual([refused.status, refused.code], [409, "already_undone"]);
  // Both rounds are one change, which is undone as one.
  await undo(key, begun.change_id ?? "");
  const again = await read(key, id);
  assert.deepEqual([again.name, again.city], ["2", "Recife"]);
});

test("what somebody changed after it was put back is not taken back by the next round", async () => {
  await using the = await world();
  const [key, other] = [await writer(the), await second(the)];
  const id = await create(key, { name: "1", city: "Natal" });
  const first = await patch(key, id, { name: "2", city: "Recife" });
  const next = await patch(other, id, { name: "3" });
  await undo(key, first);
  await patch(other, id, { city: "Recife" });
  await undo(other, next);
  await undo(key, first);
  const { name, city } = await read(key, id);
  assert.deepEqual([name, city], ["1", "Recife"]);
});

test("a kept part of a change still stands: an earlier change is not undone through it", async () => {
  await using the = await world();
  const [key, other] = [await writer(the), await second(the)];
  const id = await create(key, { status: "new" });
  const lost = await patch(key, id, { status: "lost" });
  await patch(other, id, { status: "won" });
  const decided = await patch(other, id, { status: "lost", city: "Natal" });
  const later = await patch(key, id, { status: "new" });
  assert.equal((await undo(other, decided)).counts.kept, 1);
  await undo(key, later);
  const { counts, records } = await undo(key, lost);
  assert.deepEqual([counts.put_back, counts.kept, records[0]?.kept[0]?.reason], [0, 1, "changed_since"]);
});

test("two callers who continue an undo at once take back what was kept once", async () => {
  await using the = await world();
  const [key, other] = [await writer(the), await second(the)];
  const id = await create(key, { score: 1, city: "Natal" });
  const first = await patch(key, id, { score: 2, city: "Recife" });
  const next = await patch(other, id, { score: 3 });
  await undo(key, first);
  await undo(other, next);
  const answers = await Promise.all(
    [1, 2, 3].map(async () => (await key.send("POST", `/api/v1/changes/${first}/undo`, {})).status),
  );
  assert.deepEqual(answers.sort(), [200, 409, 409]);
  assert.equal((await read(key, id)).score, 1);
});

test("a record that is erased meanwhile is not kept any more", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "leads:erase"]);
  const one = await create(key, { name: "1", city: "Natal" });
  const first = await patch(key, one, { name: "2", city: "Recife" });
  await patch(key, one, { name: "3" });
  assert.equal((await undo(key, first)).counts.kept, 1);
  assert.equal((await key.send("DELETE", `/api/v1/leads/${one}?erase=true`)).status < 300, true);
  assert.equal((await shown(key, first)).reversible, false);
});

test("a view, a field and a merge are continued as well", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const made = await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" });
  const field = await changeOf(made);
  await changeOf(await key.send("POST", "/api/v1/fields", { key: "seats", label: "Seats", type: "text" }));
  const lead = await create(key, { name: "Ana", custom: { plan: "gold" } });
  assert.equal((await undo(key, field)).change_id, null, "a lead has a value");
  await patch(key, lead, { custom: { plan: null } });
  assert.equal((await undo(key, field)).counts.deleted, 1);
  const other = await create(key, { name: "A.", city: "Natal", company: "Porto" });
  const merged = await key.send("POST", `/api/v1/leads/${lead}/merge`, { with: other });
  const merge = await changeOf(merged.clone());
  const { merge_id: id } = await bodyOf<{ merge_id: string }>(merged);
  const edit = await patch(key, lead, { city: "Recife" });
  const begun = await undo(key, merge);
  assert.deepEqual([begun.counts.kept, (await shown(key, merge)).reversible], [1, true]);
  await undo(key, edit);
  assert.equal((await read(key, lead)).city, "Natal");
  const answer = await key.send("POST", `/api/v1/merges/${id}/undo`);
  assert.equal(answer.headers.get("x-leadgate-change"), begun.change_id);
  assert.deepEqual((await bodyOf<{ kept: string[] }>(answer)).kept, []);
  assert.equal((await read(key, lead)).city, null);
  assert.equal((await key.send("POST", `/api/v1/merges/${id}/undo`)).status, 409);
});

test("an import's undo is continued by its own address: its counts and its list of kept leads follow", async () => {
  await using the = await world();
  const [key, other] = [await writer(the), await second(the)];
  const ana = await create(key, { external_id: "a", name: "Ana", city: "Natal" });
  const { id } = await uploaded(the, key, "external_id,name,city\na,Anna,Olinda\nb,Bia,Recife\n");
  const { change_id: change } = await acted(key, id, "commit");
  const edit = await patch(other, ana, { city: "Faro" });
  const first = await acted(key, id, "undo");
  assert.deepEqual([first.state, first.undo], ["undone", { deleted: 1, restored: 1, left: 1 }]);
  const { undone_by: by, reversible } = await shown(key, change ?? "");
  assert.equal(reversible, true);
  await undo(other, edit);
  const answer = await key.send("POST", `/api/v1/imports/${id}/undo`);
  await bodyOf(answer, 202);
  assert.equal(answer.headers.get("x-leadgate-change"), by);
  for (;;) {
    const { state, undo: counts } = await bodyOf<{ state: string; undo: object }>(
      await key.send("GET", `/api/v1/imports/${id}`),
    );
    if (state === "undoing") await sleep(20);
    else {
      assert.deepEqual([state, counts], ["undone", { deleted: 1, restored: 1, left: 0 }]);
      break;
    }
  }
  const { leads } = await bodyOf<{ leads: object[] }>(await key.send("GET", `/api/v1/imports/${id}/kept`));
  assert.deepEqual(leads, []);
  const { name, city } = await read(key, ana);
  assert.deepEqual([name, city], ["Ana", "Natal"]);
  assert.equal((await key.send("POST", `/api/v1/imports/${id}/undo`)).status, 409);
});

const LEADS = 10_400;

test("an undo of more than 10,000 leads is continued, and a dry run has the exact number of all", async () => {
  await using the = await world();
  const key = await writer(the);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, city)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i, 'Natal' FROM generate_series(1, $2::integer) i`,
    [the.project.id, LEADS],
  );
  const jobEnded = async (id: string) => {
    for (;;) {
      const job = await bodyOf<{ state: string; changed: number; skipped: number }>(
        await key.send("GET", `/api/v1/jobs/${id}`),
      );
      if (job.state !== "waiting" && job.state !== "running") return job;
      await sleep(20);
    }
  };
  const filter = { field: "city", op: "eq", value: "Natal" };
  const set = { op: "set", set: { status: "won" }, filter, expected_count: LEADS };
  const bulk = await bodyOf<{ id: string; change_id: string }>(
    await key.send("POST", "/api/v1/leads/bulk", set),
    202,
  );
  await jobEnded(bulk.id);
  const one = `lead_${"0".repeat(23)}1ab`;
  const edit = await patch(key, one, { status: "lost" });
  const dry = await undo(key, bulk.change_id, { dry_run: true });
  assert.equal(dry.total, LEADS);
  const begun = await undo(key, bulk.change_id, {}, 202);
  assert.equal(begun.total, LEADS);
  const first = await jobEnded(begun.job_id ?? "");
  assert.deepEqual([first.changed, first.skipped], [LEADS - 1, 1]);
  await undo(key, edit);
  const rest = await undo(key, bulk.change_id);
  assert.deepEqual([rest.change_id, rest.total, rest.counts.put_back], [begun.change_id, 1, 1]);
  assert.equal((await read(key, one)).status, "new");
});
