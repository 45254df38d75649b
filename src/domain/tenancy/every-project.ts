import type { Database } from "../../db/pool/database.ts";

const PAGE = 500;

/**
 * Yields the ids of all projects, for maintenance. Reads the table `store.project` because the wall shows only one
 * project.
 */
export async function* everyProject(db: Database): AsyncGenerator<string> {
  for (let last = ""; ; ) {
    const rows = await db.visitAll<{ id: string }>(
      "SELECT project_id AS id FROM store.project WHERE project_id > $1 ORDER BY project_id LIMIT $2",
      [last, PAGE],
    );
    for (const { id } of rows) yield id;
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.id ?? "";
  }
}
