import { newId } from "../../../src/core/id.ts";
import type { Sql } from "./program.ts";

/** Tables that a copy starts without: credentials, jobs, and indexes that the service makes when they are needed. */
const LEFT_OUT = new Set([
  ...["access_token", "api_key", "authorization", "authorization_code", "invitation", "presence"],
  ...["job", "job_piece", "field_index", "lead_parts"],
  ...["lead_order_moment", "lead_order_number", "lead_order_text"],
]);

/** A table of projects, with the columns that are stored, not computed, but for project_id. */
interface StoredTable {
  table: string;
  columns: string[];
}

const TABLES = `SELECT c.relname AS "table", array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'store'::regnamespace AND c.relkind = 'r' AND a.attgenerated = '' AND a.attname <> 'project_id'
  GROUP BY c.relname ORDER BY c.relname`;

export const storedTables = (sql: Sql): Promise<StoredTable[]> => sql<StoredTable>(TABLES);

/**
 * Copies a project with its members; returns the new project's id. All other ids stay the same: they are unique
 * within a project only, so that what is known about the original is known about each copy.
 */
export async function copyProject(sql: Sql, from: string): Promise<string> {
  const to = newId("prj");
  for (const { table, columns } of await storedTables(sql)) {
    if (LEFT_OUT.has(table)) continue;
    await sql(
      `INSERT INTO store.${table} (project_id, ${columns})
       SELECT $2, ${columns} FROM store.${table} WHERE project_id = $1`,
      [from, to],
    );
  }
  await sql(
    `INSERT INTO leadgate.membership (project_id, person_id, role, created_at)
     SELECT $2, person_id, role, created_at FROM leadgate.membership WHERE project_id = $1`,
    [from, to],
  );
  return to;
}
