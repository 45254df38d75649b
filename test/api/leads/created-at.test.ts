import assert from "node:assert/strict";
import { test } from "node:test";
import { eventsOf, importText, leadsOf } from "../../imports/support/importing.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { leadOf, refusalOf, told, writer } from "../support/writing.ts";

const THEN = "2019-03-31T14:30:00+00:00";

const startOf = async (the: World, id: string) =>
  (
    await the.sql<{ same: boolean; recorded: boolean }>(
      `SELECT e.occurred_at = l.created_at AS same, e.recorded_at > l.created_at + interval '1 year' AS recorded
       FROM store.event e JOIN store.lead l ON l.id = e.lead_id AND l.project_id = e.project_id
       WHERE l.id = $1 AND e.type = 'lead.created'`,
      [id],
    )
  )[0];

const names = async (key: KeyActor): Promise<unknown[]> => {
  const found = await key.send("POST", "/api/v1/leads/search", { fields: ["name"] });
  return ((await found.json()) as { leads: { name: string }[] }).leads.map(({ name }) => name);
};

test("a lead from another system keeps the time at which it came in: in lists, in figures and on its timeline", async () => {
  await using the = await world();
  const key = await writer(the);
  await leadOf(await key.send("POST", "/api/v1/leads", { name: "today" }), 201);
  const lead = await leadOf(await key.send("POST", "/api/v1/leads", { name: "2019", created_at: THEN }), 201);
  assert.equal(lead.created_at, THEN);
  assert.deepEqual(await startOf(the, lead.id), { same: true, recorded: true });
  const upserted = { email: "ana@example.org", name: "2020", created_at: "2020-05-01T00:00:00-03:00" };
  const made = await leadOf(await key.send("PUT", "/api/v1/leads/upsert", { lead: upserted }), 201);
  assert.equal(made.created_at, "2020-05-01T03:00:00+00:00");
  const items = [
    { name: "2018", created_at: "2018-01-01T00:00:00Z" },
    { name: "2021", created_at: "2021-01-01T00:00:00Z" },
  ];
  for (const op of ["create", "upsert"]) {
    const some = items.map((item, i) => ({ ...item, external_id: `${i}` }));
    const answer = await key.send("POST", "/api/v1/leads/bulk", {
      op,
      items: some.slice(...(op === "create" ? [0, 1] : [1])),
    });
    const { created } = (await answer.json()) as { created: number };
    assert.equal(created, 1);
  }
  assert.deepEqual(await names(key), ["today", "2021", "2020", "2019", "2018"]);
  const figures = await key.send("POST", "/api/v1/leads/aggregate", {
    group_by: [{ field: "created_at", interval: "year" }],
    filter: { field: "created_at", op: "before", value: "2022-01-01" },
  });
  const { groups } = (await figures.json()) as { groups: { key: object; metrics: { count: number } }[] };
  assert.deepEqual(
    groups.map(({ metrics }) => metrics.count),
    [1, 1, 1, 1],
  );
});

test("the time at which a lead came in is written once: an update refuses it, an upsert that finds a lead keeps the lead's", async () => {
  await using the = await world();
  const key = await writer(the);
  const lead = { external_id: "crm-1", name: "Ana", created_at: THEN };
  const { id } = await leadOf(await key.send("PUT", "/api/v1/leads/upsert", { lead }), 201);
  for (const created_at of [THEN, "2020-01-01T00:00:00Z"]) {
    const again = await key.send("PUT", "/api/v1/leads/upsert", { lead: { ...lead, created_at } });
    assert.equal(again.headers.get("x-leadgate-outcome"), "unchanged");
    assert.equal((await leadOf(again)).created_at, THEN);
  }
  const patched = await refusalOf(await key.send("PATCH", `/api/v1/leads/${id}`, { created_at: THEN }));
  assert.deepEqual([patched.status, patched.code], [400, "read_only"]);
  assert.match(patched.message, /only when the lead is created/);
  const set = { op: "set", set: { created_at: THEN }, items: [{ id }] };
  assert.equal((await refusalOf(await key.send("POST", "/api/v1/leads/bulk", set))).code, "read_only");
  const update = await key.send("POST", "/api/v1/leads/bulk", {
    op: "update",
    items: [{ id, created_at: THEN }],
  });
  assert.equal(((await update.json()) as { failed: number }).failed, 1);
  assert.equal((await told(the, id)).length, 1);
});

test("a lead cannot come in before 1970 or in the future, by a call or from a file", async () => {
  await using the = await world();
  const key = await writer(the);
  const wrong: [string, string][] = [
    ["1969-12-31T23:59:59Z", "too_early"],
    ["0001-01-01T00:00:00Z", "too_early"],
    ["2999-01-01T00:00:00Z", "in_future"],
    [new Date(Date.now() + 3_600_000).toISOString(), "in_future"],
    ["yesterday", "not_a_datetime"],
    ["2019-03-31T14:30:00", "not_a_datetime"],
  ];
  for (const [created_at, code] of wrong) {
    const refused = await refusalOf(await key.send("POST", "/api/v1/leads", { name: "x", created_at }));
    assert.deepEqual([refused.status, refused.code, refused.details[0]?.path], [422, code, "$.created_at"]);
  }
  const now = new Date().toISOString();
  await leadOf(await key.send("POST", "/api/v1/leads", { name: "now", created_at: now }), 201);
  const report = await importText(
    the,
    "name,Created\nold,2019-03-31T14:30:00Z\nfuture,2999-01-01T00:00:00Z\nzero,1900-01-01T00:00:00Z\n",
    { columns: { name: "name", Created: "created_at" } },
  );
  assert.deepEqual(
    report.failures.map(({ row, column, code }) => [row, column, code]),
    [
      [3, "Created", "in_future"],
      [4, "Created", "too_early"],
    ],
  );
  const old = (await leadsOf(the)).find(({ name }) => name === "old");
  assert.deepEqual(await startOf(the, String(old?.id)), { same: true, recorded: true });
  assert.equal((await eventsOf(the, "lead.created")).length, 2);
});

test("a plain day as the time at which a lead came in is midnight in the project's time zone", async () => {
  await using the = await world({ alone: true });
  await the.sql("UPDATE store.project SET timezone = 'America/Sao_Paulo'");
  const key = await writer(the);
  const lead = await leadOf(
    await key.send("POST", "/api/v1/leads", { name: "x", created_at: "2020-05-01" }),
    201,
  );
  assert.equal(lead.created_at, "2020-05-01T03:00:00+00:00");
});
