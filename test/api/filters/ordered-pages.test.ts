import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../../large.ts";
import { world } from "../../world.ts";
import { ALL_INDEXES, compareOrders, compareSearches } from "../support/ordered-pages.ts";

const SEED = 20_261_125;

/** Compares so many random searches, read by cursor, with a plain reference. */
async function sameLeads(filters: number): Promise<void> {
  await using the = await world();
  const { telling, differing } = await compareSearches(the, { filters, leads: 300, seed: SEED });
  assert.deepEqual(differing, []);
  assert.ok(telling > filters / 4, String(telling));
}

/** Compares the pages of so many random filters and orders with and without indexes. */
async function samePages(filters: number, leads: number): Promise<void> {
  await using the = await world(ALL_INDEXES);
  const { telling, differing } = await compareOrders(the, { filters, leads, seed: SEED });
  assert.deepEqual(differing, []);
  assert.ok(telling > filters / 4, String(telling));
  const [used] = await the.sql<{ n: number }>(
    "SELECT count(used_at)::int AS n FROM store.field_index WHERE project_id = $1",
    [the.project.id],
  );
  assert.ok((used?.n ?? 0) > filters / 20, String(used?.n));
}

test("40 random searches, read by cursor to the end, show each lead of a plain reference once and in order", () =>
  sameLeads(40));

large(
  "200 random searches, read by cursor to the end, show each lead of a plain reference once and in order",
  () => sameLeads(200),
);

large(
  "60 random filters in random orders show the same pages with indexes of all fields as without any",
  () => samePages(60, 400),
);

large(
  "400 random filters in random orders show the same pages with indexes of all fields as without any",
  () => samePages(400, 1_500),
);
