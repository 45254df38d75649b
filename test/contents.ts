import assert from "node:assert/strict";
import type { World } from "./world.ts";

// What a refused call may leave: an audit entry, a count against a limit, and a time of last use. Running instances renew their rows.
const TRACES = new Set(["audit", "instance", "limit_turn", "registration_calls", "sign_in_failure"]);

/** Returns every row of every table, without the times of last use. */
export async function contents(the: World): Promise<Record<string, string[]>> {
  const tables = await the.sql<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname IN ('store', 'leadgate') ORDER BY 1, 2`,
  );
  assert.ok(tables.length > 10);
  const all: Record<string, string[]> = {};
  for (const { schema, name } of tables.filter((table) => !TRACES.has(table.name))) {
    const rows = await the.sql<{ row: string }>(
      `SELECT (to_jsonb(t) - 'last_used_at' - 'used_at')::text AS row FROM "${schema}"."${name}" t ORDER BY 1`,
    );
    all[`${schema}.${name}`] = rows.map(({ row }) => row);
  }
  return all;
}
