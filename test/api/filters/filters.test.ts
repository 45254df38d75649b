import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../../large.ts";
import { type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { compare } from "../support/oracle.ts";
import { CUSTOM } from "../support/random-lead.ts";

const SEED = 20_261_121;

async function defineFields(the: World): Promise<void> {
  for (const [key, type] of Object.entries(CUSTOM)) {
    await the.sql("INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, $2, $2, $3)", [
      the.project.id,
      key,
      type,
    ]);
  }
}

/** Compares so many random filters, of timelines and views too, with a plain reference. */
async function comparable(filters: number, leads: number): Promise<void> {
  await using the = await world();
  const { telling, differing } = await compare(the, { filters, leads, seed: SEED });
  assert.deepEqual(differing, []);
  assert.ok(telling > filters / 2, `only ${telling} filters told leads apart`);
}

test("300 random filters, of timelines and views too, find what a plain reference finds", () =>
  comparable(300, 500));

large("1500 random filters, of timelines and views too, find what a plain reference finds", () =>
  comparable(1_500, 1_000),
);

test("a plain day is the day of the request's zone, else of the project's", async () => {
  await using the = await world();
  const [late] = await addLeads(the, [{ created_at: "2026-03-02T01:30:00+00:00" }]);
  const key = await the.key();
  const filter = { field: "created_at", op: "eq", value: "2026-03-01" };
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter }))), []);
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter, timezone: "America/Sao_Paulo" }))), [late]);
  await the.sql("UPDATE store.project SET timezone = 'America/Sao_Paulo' WHERE project_id = $1", [
    the.project.id,
  ]);
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter }))), [late]);
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter, timezone: "UTC" }))), []);
});

test("custom values of another type than their field's are empty, not an error", async () => {
  await using the = await world();
  await defineFields(the);
  const [id] = await addLeads(the, [
    { custom: { seats: "many", since: "2026-02-30", at: "infinity", active: [1], plan: { a: 1 } } },
  ]);
  const key = await the.key();
  for (const field of ["custom.seats", "custom.since", "custom.at"]) {
    assert.deepEqual(
      idsOf(await pageOf(await key.query({ filter: { field, op: "is_empty" }, fields: ["id"] }))),
      [id],
      field,
    );
  }
  const other = {
    or: [
      { field: "custom.seats", op: "gt", value: -1e308 },
      { field: "custom.at", op: "on_or_after", value: "1000-01-01" },
    ],
  };
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter: other }))), []);
});
