import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Sql } from "./program.ts";

/** Indexes of the two large tables that no constraint needs. */
const INDEXES = `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relnamespace = 'store'::regnamespace AND t.relname IN ('lead', 'event')
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`;

/**
 * Does work that writes many rows while the indexes of leads and events are gone, and makes these again: for forty
 * projects that takes a fraction of the time. `path` keeps what they were, in case the process is killed meanwhile.
 */
export async function withoutIndexes(sql: Sql, path: string, work: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; made: string }>(INDEXES);
  writeFileSync(path, JSON.stringify(indexes.map(({ made }) => made)));
  for (const { name } of indexes) await sql(`DROP INDEX ${name}`);
  try {
    await work();
  } finally {
    await makeIndexes(sql, path);
  }
}

/** Makes the indexes again that a killed process left out, if any. */
export async function makeIndexes(sql: Sql, path: string): Promise<void> {
  if (!existsSync(path)) return;
  const indexes = JSON.parse(readFileSync(path, "utf8")) as string[];
  for (const made of indexes) await sql(made.replace(/^CREATE (UNIQUE )?INDEX /, "$&IF NOT EXISTS "));
  rmSync(path);
}
