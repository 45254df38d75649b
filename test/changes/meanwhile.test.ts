import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, refusalOf } from "../api/support/writing.ts";
import { lockWaits } from "../lock-waits.ts";
import { type KeyActor, world } from "../world.ts";

interface Shown {
  id: string;
  kind: string;
  counts: object;
  reversible: boolean;
}

interface UndoBody {
  change_id: string | null;
  counts: Record<string, number>;
  records: { id: string; kept: { field: string | null; reason: string }[] }[];
}

const undo = async (key: KeyActor, id: string, body: object = {}): Promise<UndoBody> =>
  await bodyOf<UndoBody>(await key.send("POST", `/api/v1/changes/${id}/undo`, body));

const changes = async (key: KeyActor, query = ""): Promise<Shown[]> =>
  (await bodyOf<{ changes: Shown[] }>(await key.send("GET", `/api/v1/changes${query}`))).changes;

test("a deletion of a field that is undone while it goes on ends as a whole, and can be undone as a whole", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  await bodyOf(await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" }), 201);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, custom)
     SELECT $1, 'lead_' || lpad(i::text, 26, '0'), 'n' || i, '{"plan": "gold"}' FROM generate_series(1, 2500) i`,
    [the.project.id],
  );
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query(
    "SELECT FROM store.lead WHERE project_id = $1 AND id = 'lead_' || lpad('1500', 26, '0') FOR UPDATE",
    [the.project.id],
  );
  const deleting = key.send("DELETE", "/api/v1/fields/plan?force=true");
  while ((await lockWaits(the)) === 0) await sleep(5);
  const [change] = await changes(key, "?kind=field.delete");
  assert.deepEqual(change?.counts, { leads_updated: 1_000 });
  assert.equal((await undo(key, change?.id ?? "")).counts.put_back, 1_000);
  await holder.query("COMMIT");
  await holder.end();
  assert.equal((await deleting).status, 204);
  const left = async () =>
    (await the.sql<{ count: number }>("SELECT count(*)::int FROM store.lead WHERE custom ? 'plan'"))[0]
      ?.count;
  assert.equal(await left(), 0);
  const [deleted] = await changes(key, "?kind=field.delete");
  assert.equal(deleted?.reversible, true);
  const { counts } = await undo(key, change?.id ?? "");
  assert.deepEqual([counts.put_back, counts.restored, counts.kept], [2_500, 1, 0]);
  assert.equal(await left(), 2_500);
});

test("an undo gives no lead to somebody who has left the project", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const bia = await the.newPerson("Bia");
  await the.join(bia, the.project.id, "editor");
  const { id } = await leadOf(
    await key.send("POST", "/api/v1/leads", { name: "Ana", owner_id: bia.id }),
    201,
  );
  const answer = await key.send("PATCH", `/api/v1/leads/${id}`, { owner_id: null, city: "Natal" });
  await bodyOf(answer);
  await the.sql("DELETE FROM leadgate.membership WHERE person_id = $1", [bia.id]);
  const { counts, records } = await undo(key, answer.headers.get("x-leadgate-change") ?? "");
  assert.deepEqual([counts.put_back, counts.kept], [1, 1]);
  assert.deepEqual(
    records[0]?.kept.map(({ field, reason }) => [field, reason]),
    [["owner_id", "does_not_fit"]],
  );
  const { owner_id: owner, city } = await leadOf(await key.send("GET", `/api/v1/leads/${id}`));
  assert.deepEqual([owner, city], [null, null]);
});

test("a key for datasets rehearses and undoes what it wrote to rows, and reads what was kept", async () => {
  await using the = await world();
  const key = await the.key(["datasets:read", "datasets:write"]);
  const blind = await the.key(["datasets:write"]);
  const dataset = { key: "d", name: "D", columns: [{ key: "k", type: "text" }], key_column: "k" };
  await bodyOf(await key.send("POST", "/api/v1/datasets", dataset), 201);
  const write = async (by: KeyActor, k: string) => {
    const answer = await by.send("POST", "/api/v1/datasets/d/rows", { k });
    await bodyOf(answer, 201);
    return answer.headers.get("x-leadgate-change") ?? "";
  };
  const change = await write(key, "a");
  assert.equal((await undo(key, change, { dry_run: true })).records.length, 1);
  const { counts, records } = await undo(key, change);
  assert.deepEqual([counts.deleted, records.length], [1, 1]);
  const other = await write(blind, "b");
  const refused = await refusalOf(
    await blind.send("POST", `/api/v1/changes/${other}/undo`, { dry_run: true }),
  );
  assert.deepEqual([refused.status, refused.code], [403, "missing_permission"]);
  assert.deepEqual((await undo(blind, other)).records, []);
});

test("a time selects changes without a walk through the others", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  for (const name of ["Ana", "Bia"]) await leadOf(await key.send("POST", "/api/v1/leads", { name }), 201);
  const [bia, ana] = await changes(key);
  // Its id is far from its time, so that only a walk through all changes would find it.
  const older = `chg_${"0".repeat(26)}`;
  await the.sql("UPDATE store.change SET id = $1, created_at = moment() - interval '20 days' WHERE id = $2", [
    older,
    ana?.id,
  ]);
  const now = new Date(Date.now() - 3_600_000).toISOString();
  assert.deepEqual(
    (await changes(key, `?from=${now}`)).map(({ id }) => id),
    [bia?.id],
  );
  assert.deepEqual(
    (await changes(key, `?to=${now}&from=2020-01-01`)).map(({ id }) => id),
    [],
  );
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  assert.deepEqual(
    (await changes(key, `?to=${tomorrow}`)).map(({ id }) => id),
    [bia?.id, older],
  );
});
