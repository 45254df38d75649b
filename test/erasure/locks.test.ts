import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sweepDatasets } from "../../src/domain/datasets/sweep-datasets.ts";
import { leadOf } from "../api/support/writing.ts";
import { make, written } from "../datasets/support/dataset.ts";
import { uploaded } from "../imports/support/uploading.ts";
import { lockWaits } from "../lock-waits.ts";
import { world } from "../world.ts";
import { erasePerson, eraser, tablesWith } from "./support/erasing.ts";
import { planOf, statementsOf } from "./support/statements.ts";

const EMAIL = "rita@locks.example";

test("an erasure and the sweep of a deleted dataset with rows of the person wait for each other, and both end", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const columns = [{ key: "mail", type: "email" }];
  await make(key, { key: "orders", columns, lead_link: { column: "mail", match: "email" } });
  await written(key, [{ mail: EMAIL }, { mail: "bo@locks.example" }], "insert", "orders");
  const { id } = await uploaded(the, key, "email\nbo@locks.example\n");
  await the.sql("UPDATE store.dataset SET deleted_at = now()");
  const waiters = async (count: number) => {
    while ((await lockWaits(the)) < count) await sleep(10);
  };
  // The erasure has locked the dataset when it waits for the import.
  const held = await the.service.db.pool.connect();
  await held.query("BEGIN");
  await held.query("SELECT FROM store.import WHERE project_id = $1 AND id = $2 FOR UPDATE", [
    the.project.id,
    id,
  ]);
  const erasing = erasePerson(key, { email: EMAIL, expected_leads: 0 });
  await waiters(1);
  const sweeping = sweepDatasets(the.service);
  await waiters(2);
  await held.query("COMMIT");
  held.release();
  const ended = await Promise.allSettled([erasing, sweeping]);
  assert.deepEqual(
    ended.map(({ status }) => status),
    ["fulfilled", "fulfilled"],
    JSON.stringify(ended),
  );
  assert.deepEqual(await tablesWith(the, EMAIL), []);
  assert.deepEqual(await the.sql("SELECT FROM store.dataset"), []);
});

test("erasing a lead reads no large table as a whole, certificates are found by an index, and few of many saved queries are loaded", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Rita", email: EMAIL }), 201);
  const { id: other } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Bo" }), 201);
  await uploaded(the, key, "email\nbo@locks.example\n");
  const actor = `'{"type": "cli", "id": null, "label": "test"}'`;
  for (const text of [
    `event (project_id, id, lead_id, type, occurred_at, title, actor)
      SELECT $1, 'evt_' || i, '${other}', 'call.made', now(), 'x', ${actor}`,
    `change (project_id, id, kind, surface, actor) SELECT $1, 'chg_' || i, 'lead.update', 'api', ${actor}`,
    `change_item (project_id, change_id, id, kind, record_id, before)
      SELECT $1, 'chg_' || i, 'evt_' || i, 'lead', 'lead_' || i, '{"email": "bo@locks.example"}'`,
    `merge (project_id, id, winner_id, loser_id, changes, actor)
      SELECT $1, 'mrg_' || i, 'lead_w' || i, 'lead_l' || i, '{}', ${actor}`,
    `job (project_id, id, kind, state, input, actor, credential, expires_at)
      SELECT $1, 'job_' || i, 'export', 'done', '{"search": "Bo"}', ${actor}, '{}', now() - interval '1 day'`,
  ])
    await the.sql(`INSERT INTO store.${text} FROM generate_series(1, 5000) i`, [the.project.id]);
  await the.sql(
    "INSERT INTO audit (action, project_id) SELECT 'lead.viewed', $1 FROM generate_series(1, 5000)",
    [the.project.id],
  );
  for (const table of ["event", "change", "change_item", "merge", "job", "audit"])
    await the.sql(`ANALYZE ${table}`);
  const dry = await statementsOf(async () => {
    await erasePerson(key, { email: "nobody@locks.example", dry_run: true });
  });
  const own = await statementsOf(async () => {
    assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);
  });
  const sent = [...dry, ...own];
  assert.ok(sent.length > 20);
  assert.deepEqual(
    sent.filter(({ rows }) => rows > 500).map(({ text }) => text),
    [],
  );
  const used = new Set<string>();
  const whole: string[] = [];
  for (const each of sent.filter(({ text }) => /^\s*(SELECT|WITH|DELETE|UPDATE)/.test(text))) {
    const plan = await planOf(the, each);
    for (const node of plan) if (node["Index Name"] !== undefined) used.add(node["Index Name"]);
    if (
      own.includes(each) &&
      plan.some(
        (node) =>
          node["Node Type"] === "Seq Scan" &&
          /^(event|change_item|merge|audit)$/.test(node["Relation Name"] ?? ""),
      )
    )
      whole.push(each.text);
  }
  for (const index of ["change_item_record", "merge_of_loser", "audit_of_erasures"])
    assert.ok(used.has(index), `${index} is not used: ${[...used].sort().join()}`);
  assert.deepEqual(whole, []);
});

test("changes are searched for a person before writers have to wait; behind the locks only what is newer is searched", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const sent = await statementsOf(async () => {
    await erasePerson(key, { email: EMAIL, phone: "+55 11 5550-0177", expected_leads: 0 });
  });
  const texts = sent.map(({ text }) => text);
  const locked = texts.findIndex((text) => text.includes("pg_advisory_xact_lock"));
  const searches = texts.flatMap((text, i) =>
    /i\.kind = 'row'/.test(text) && text.includes("LIKE ANY") ? [i] : [],
  );
  const behind = searches.filter((i) => i > locked);
  assert.ok(locked >= 0 && searches.length > behind.length);
  for (const i of behind) assert.match(texts[i] ?? "", /record_id = ANY .*CASE WHEN i\.tx >= /s);
});
