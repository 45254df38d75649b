import assert from "node:assert/strict";
import { test } from "node:test";
import { make, written } from "../../datasets/support/dataset.ts";
import { type World, world } from "../../world.ts";
import { idsOf, pageOf } from "../support/leads.ts";
import { FULL } from "../support/two-projects.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf } from "../support/writing.ts";

const TIMES = ["first_touch", "last_touch", "consent_at"];

async function worldIn(timezone: string): Promise<World> {
  const the = await world();
  await the.sql("UPDATE store.project SET timezone = $1", [timezone]);
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'seen', 'Seen', 'datetime'),
      ($1, 'since', 'Since', 'date')`,
    [the.project.id],
  );
  return the;
}

test("a plain day is midnight of the project's zone: a filter of that day finds what was written with it", async () => {
  await using the = await worldIn("America/Sao_Paulo");
  const key = await the.key(FULL);
  const day = "2026-01-13";
  const times = Object.fromEntries(TIMES.map((field) => [field, day]));
  const made = await leadOf(
    await key.send("POST", "/api/v1/leads", { name: "Ana", ...times, custom: { seen: day } }),
    201,
  );
  for (const field of TIMES) assert.equal(made[field], "2026-01-13T03:00:00+00:00", field);
  for (const field of [...TIMES, "custom.seen"]) {
    const found = await pageOf(await key.query({ filter: { field, op: "eq", value: day } }));
    assert.deepEqual(idsOf(found), [made.id], field);
  }
  const event = { type: "call.made", occurred_at: day };
  const one = await bodyOf<{ occurred_at: string }>(
    await key.send("POST", `/api/v1/leads/${made.id}/events`, event),
    201,
  );
  assert.equal(one.occurred_at, "2026-01-13T03:00:00+00:00");
  await bodyOf(await key.send("POST", "/api/v1/events/batch", { events: [{ ...event, lead_id: made.id }] }));
  const filter = { event: { occurred: { op: "eq", value: day }, count: { op: "eq", value: 2 } } };
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter }))), [made.id]);
});

test("days on which clocks changed at midnight start where filters assume it", async () => {
  const changes = {
    "America/Sao_Paulo": ["2018-11-04", "2018-02-18"],
    "America/Havana": ["2025-11-02", "2025-03-09"],
    "Asia/Beirut": ["2024-03-31", "0001-01-03", "1800-01-01"],
  };
  await using the = await worldIn("UTC");
  const key = await the.key(FULL);
  for (const [timezone, days] of Object.entries(changes)) {
    await the.sql("UPDATE store.project SET timezone = $1", [timezone]);
    await the.sql("DELETE FROM store.lead");
    for (const day of days) {
      const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { first_touch: day }), 201);
      const found = await pageOf(await key.query({ filter: { field: "first_touch", op: "eq", value: day } }));
      assert.deepEqual(idsOf(found), [id], `${timezone} ${day}`);
    }
  }
});

test("days that become times, in a custom field or a column, become midnight of the project's zone", async () => {
  await using the = await worldIn("America/Sao_Paulo");
  const key = await the.key(FULL);
  const { id } = await leadOf(
    await key.send("POST", "/api/v1/leads", { custom: { since: "2026-01-13" } }),
    201,
  );
  await bodyOf(await key.send("PATCH", "/api/v1/fields/since", { type: "datetime" }));
  const { custom } = await leadOf(await key.send("GET", `/api/v1/leads/${id}`));
  assert.deepEqual(custom, { since: "2026-01-13T03:00:00.000+00:00" });

  const columns = [{ key: "day", type: "date" }];
  await make(key, { key: "visits", name: "Visits", columns });
  await written(key, [{ day: "2026-01-13" }], "insert", "visits");
  await bodyOf(
    await key.send("PATCH", "/api/v1/datasets/visits", { columns: [{ key: "day", type: "datetime" }] }),
  );
  const { rows } = await bodyOf<{ rows: { day: string }[] }>(
    await key.send("POST", "/api/v1/datasets/visits/query", {}),
  );
  assert.deepEqual(
    rows.map(({ day }) => day),
    ["2026-01-13T03:00:00.000+00:00"],
  );
});
