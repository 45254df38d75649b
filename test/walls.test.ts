import assert from "node:assert/strict";
import { test } from "node:test";
import { tour } from "./api/support/tour.ts";
import { logStatements } from "./statement-log.ts";
import { world } from "./world.ts";

test("every statement of a tour through all endpoints that touches a project's table names its project", async () => {
  const texts = logStatements();
  await using the = await world();
  const tables = await the.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'store'",
  );
  await tour(the);
  const touching = [...texts].filter(
    (text) => !/\bstore\.|WITH NO DATA$/.test(text) && tables.some(({ name }) => touches(text, name)),
  );
  assert.ok(touching.length > 60, String(touching.length));
  assert.deepEqual(
    touching.filter((text) => !/\bproject_id\b/.test(text)),
    [],
  );
});

/** Whether a statement reads or writes a table, rather than a WITH of the same name. */
const touches = (text: string, table: string): boolean =>
  new RegExp(String.raw`\b(FROM|JOIN|UPDATE|INTO|USING|COPY)\s+"?${table}\b`, "i").test(text) &&
  !new RegExp(String.raw`\b${table}\s+AS\s*(NOT MATERIALIZED|MATERIALIZED)?\s*\(`, "i").test(text);
