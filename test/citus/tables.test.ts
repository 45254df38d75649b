import assert from "node:assert/strict";
import { OF_PROJECTS, ON_COORDINATOR, REFERENCE } from "../../src/db/distribute/tables.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";

large("every table has its place on a cluster, and one on the coordinator a reason", async () => {
  await using the = await world();
  const tables = await the.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'leadgate' ORDER BY 1",
  );
  const placed = [...REFERENCE, ...OF_PROJECTS, ...Object.keys(ON_COORDINATOR)].sort();
  assert.deepEqual(
    tables.map(({ name }) => name),
    placed,
  );
});
