import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { compareOrders } from "../support/oracle.ts";

const FILTERS = 400;

test(`${FILTERS} random filters in random orders show the same pages with indexes of all fields as without any`, async () => {
  const fieldIndexes = { perProject: 200, leads: 100_000_000 };
  await using the = await world({ config: { fewestIndexedLeads: 0, fieldIndexes } });
  const { telling, differing } = await compareOrders(the, {
    filters: FILTERS,
    leads: 1_500,
    seed: 20_261_125,
  });
  assert.deepEqual(differing, []);
  assert.ok(telling > FILTERS / 4, String(telling));
  const [used] = await the.sql<{ n: number }>("SELECT count(used_at)::int AS n FROM store.field_index");
  assert.ok((used?.n ?? 0) > 20, String(used?.n));
});
