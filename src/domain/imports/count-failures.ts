import { memberOperation } from "../operation/operation.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";

const MOST = 200;

/** A fault that names what its cell may be says so of the first row only: `message` is an example. */
const KINDS = `SELECT coalesce(json_agg(kind), '[]')::text AS json FROM (
    SELECT fault ->> 'column' AS column, fault ->> 'code' AS code, min(fault ->> 'message') AS message,
      count(DISTINCT number)::integer AS rows, min(row) AS first_row
    FROM import_failure CROSS JOIN LATERAL jsonb_array_elements(faults) AS fault
    WHERE project_id = $1 AND import_id = $2 GROUP BY 1, 2 ORDER BY 4 DESC, 5, 1, 2 LIMIT ${MOST}) AS kind`;

/** The kinds of faults of the rows that failed, the most frequent first, as the JSON text of an array. Two round trips. */
export const countFailures = memberOperation({
  name: "imports.error_kinds",
  ...IMPORTS,
  input: ImportId,
  async run(context, { id }): Promise<string> {
    const { db } = await importDoor(context, id);
    const [row] = await db.query<{ json: string }>(KINDS, [context.caller.projectId, id], { prepare: true });
    return row?.json ?? "[]";
  },
});
