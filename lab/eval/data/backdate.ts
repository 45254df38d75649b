import type { Sql } from "./program.ts";

/** The times that the service takes from its own clock, by table. */
const OWN_TIMES: Record<string, readonly string[]> = {
  project: ["created_at"],
  custom_field: ["created_at"],
  lead: ["updated_at", "deleted_at"],
  event: ["recorded_at"],
  tombstone: ["at"],
  change: ["created_at", "items_gone_at"],
  change_item: ["at"],
  merge: ["created_at"],
  dataset: ["created_at", "updated_at"],
  dataset_row: ["created_at", "updated_at"],
  saved_view: ["created_at", "updated_at"],
};

/**
 * Does work in the project and moves what it wrote to another time. The service has no clock that a caller can set, so
 * this happens in the database; the rows themselves are written by the service.
 */
export async function backdated(
  sql: Sql,
  projectId: string,
  to: Date,
  work: () => Promise<void>,
): Promise<void> {
  const [start] = await sql<{ now: Date }>("SELECT clock_timestamp() AS now");
  await work();
  const moved = (column: string) =>
    `CASE WHEN ${column} >= $2::timestamptz THEN $3::timestamptz + (${column} - $2::timestamptz) ELSE ${column} END`;
  const values = [projectId, start?.now, to];
  for (const [table, columns] of Object.entries(OWN_TIMES)) {
    const set = columns.map((column) => `${column} = ${moved(column)}`);
    const some = columns.map((column) => `${column} >= $2::timestamptz`).join(" OR ");
    await sql(`UPDATE store.${table} SET ${set} WHERE project_id = $1 AND (${some})`, values);
  }
  await sql(
    `UPDATE store.event SET occurred_at = ${moved("occurred_at")}
     WHERE project_id = $1 AND type LIKE 'lead.%' AND occurred_at >= $2::timestamptz`,
    values,
  );
}
