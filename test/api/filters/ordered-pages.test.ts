import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { ALL_INDEXES, compareOrders, compareSearches } from "../support/ordered-pages.ts";

const FILTERS = 400;
const SEARCHES = 200;
const SEED = 20_261_125;

test(`${SEARCHES} random searches, read by cursor to the end, show each lead of a plain reference once and in order`, async () => {
  await using the = await world();
  const { telling, differing } = await compareSearches(the, { filters: SEARCHES, leads: 300, seed: SEED });
  assert.deepEqual(differing, []);
  assert.ok(telling > SEARCHES / 4, String(telling));
});

test(`${FILTERS} random filters in random orders show the same pages with indexes of all fields as without any`, async () => {
  await using the = await world(ALL_INDEXES);
  const { telling, differing } = await compareOrders(the, { filters: FILTERS, leads: 1_500, seed: SEED });
  assert.deepEqual(differing, []);
  assert.ok(telling > FILTERS / 4, String(telling));
  const [used] = await the.sql<{ n: number }>("SELECT count(used_at)::int AS n FROM store.field_index");
  assert.ok((used?.n ?? 0) > 20, String(used?.n));
});
