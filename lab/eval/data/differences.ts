import { storedTables } from "./copy-project.ts";
import type { Sql } from "./program.ts";

type Row = Record<string, unknown>;

/** A row that is not the same in a project and in its copy; null where it does not exist. */
export interface Difference {
  table: string;
  before: Row | null;
  after: Row | null;
}

/** The compared tables with their keys, and columns that follow from others or from the time of a call. */
const COMPARED: Record<string, { key: readonly string[]; leave?: readonly string[] }> = {
  lead: { key: ["id"], leave: ["version", "updated_at", "last_activity_at"] },
  event: { key: ["id"], leave: ["tx"] },
  merge: { key: ["id"] },
  change: { key: ["id"], leave: ["bytes"] },
  import: { key: ["id"] },
  job: { key: ["id"] },
  custom_field: { key: ["key"] },
  project: { key: ["project_id"], leave: ["slug", "quiet_fields"] },
  saved_view: { key: ["id"], leave: ["version", "updated_at"] },
  dataset: { key: ["id"], leave: ["version", "updated_at", "slots"] },
  dataset_row: { key: ["dataset_id", "id"], leave: ["version", "updated_at"] },
  invitation: { key: ["id"] },
};

/** The same for members, who are not behind the wall between projects. */
const MEMBERS = `SELECT 'membership' AS "table", to_jsonb(a) - 'project_id' AS before, to_jsonb(b) - 'project_id' AS after
  FROM (SELECT * FROM leadgate.membership WHERE project_id = $1) a
  FULL JOIN (SELECT * FROM leadgate.membership WHERE project_id = $2) b ON b.person_id = a.person_id
  WHERE a.role IS DISTINCT FROM b.role`;

/**
 * Returns every difference between a project and a copy of it that was made before: what was written to the copy since.
 * Both have the same ids.
 */
export async function differencesOf(sql: Sql, original: string, copy: string): Promise<Difference[]> {
  const found: Difference[] = await sql<Difference>(MEMBERS, [original, copy]);
  for (const { table, columns } of await storedTables(sql)) {
    const { key, leave = [] } = COMPARED[table] ?? { key: [] };
    if (key.length === 0) continue;
    const on = key.map((column) => (column === "project_id" ? "true" : `b.${column} = a.${column}`));
    const compared = columns.filter((column) => !leave.includes(column));
    const rowOf = (row: string) => `ROW(${compared.map((column) => `${row}.${column}`)})`;
    const shown = (row: string) => `to_jsonb(${row}) - $3::text[]`;
    const rows = await sql<Difference>(
      `SELECT '${table}' AS "table", ${shown("a")} AS before, ${shown("b")} AS after
       FROM (SELECT * FROM store.${table} WHERE project_id = $1) a
       FULL JOIN (SELECT * FROM store.${table} WHERE project_id = $2) b ON ${on.join(" AND ")}
       WHERE ${rowOf("a")} IS DISTINCT FROM ${rowOf("b")}`,
      [original, copy, ["project_id", "search_text", ...leave]],
    );
    found.push(...rows);
  }
  return found;
}
