import { Type } from "typebox";
import { ofError } from "../../contract/imports/import-rows.ts";
import { type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, type MemberContext, memberOperation } from "../operation/operation.ts";
import { ImportId } from "./get-import.ts";
import { failuresDoor, IMPORTS, unexpiredDoor } from "./import-door.ts";
import { type JsonPage, PAGE } from "./list-imports.ts";

const MOST = 200;

/** Messages of one kind of fault can differ, so `message` is an example. */
const KINDS = `SELECT coalesce(json_agg(kind), '[]')::text AS json FROM (
    SELECT fault ->> 'column' AS column, fault ->> 'code' AS code, min(fault ->> 'message') AS message,
      count(DISTINCT number)::integer AS rows, min(row) AS first_row
    FROM import_failure CROSS JOIN LATERAL jsonb_array_elements(faults) AS fault
    WHERE project_id = $1 AND import_id = $2 GROUP BY 1, 2 ORDER BY 4 DESC, 5, 1, 2 LIMIT ${MOST}) AS kind`;

/** Returns the kinds of faults of failed rows, most frequent first, as the JSON text of an array. */
export const countFailures = memberOperation({
  name: "imports.error_kinds",
  ...IMPORTS,
  input: ImportId,
  async run(context, { id }): Promise<string> {
    const { db } = await failuresDoor(context, id, "own");
    const [row] = await db.query<{ json: string }>(KINDS, [context.caller.projectId, id], { prepare: true });
    return row?.json ?? "[]";
  },
});

interface Place {
  place: number | string;
  json: string;
}

interface PageOf {
  id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
  column?: string | undefined;
  code?: string | undefined;
}

async function page(
  context: MemberContext,
  { id, limit = 50, cursor, column, code }: PageOf,
  name: string,
  textOf: (dataset: string | null) => string,
  nameOf: (dataset: string | null) => string,
): Promise<JsonPage & { name: string }> {
  const { service, caller } = context;
  const door = name === "imports.kept" ? unexpiredDoor : failuresDoor;
  const { db, dataset } = await door(context, id, name === "imports.errors" ? "own" : "rows");
  const fault = faultOf(column, code);
  const binding: CursorBinding = [caller.projectId, name, id, ...(fault === undefined ? [] : [fault])];
  const after = await checked(context, () =>
    cursor === undefined ? null : readCursor<number | string>(service, binding, cursor),
  );
  const only = name === "imports.errors" ? [fault ?? null] : [];
  const values = [caller.projectId, id, after, limit + 1, ...only];
  const rows = await db.query<Place>(textOf(dataset), values, { prepare: true });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1)?.place : undefined;
  return {
    json: `[${shown.map(({ json }) => json).join(",")}]`,
    nextCursor: last === undefined ? null : writeCursor(service, binding, last),
    name: nameOf(dataset),
  };
}

const Input = Type.Object({ ...ImportId.properties, ...PAGE }, { additionalProperties: false });

/** The wanted fault as JSON for a containment test. */
const faultOf = (column: string | undefined, code: string | undefined): string | undefined =>
  column === undefined && code === undefined ? undefined : JSON.stringify([{ column, code }]);

const FAILURES = `SELECT number AS place, json_build_object('row', row, 'errors', faults, 'cells', cells)::text AS json
  FROM import_failure WHERE project_id = $1 AND import_id = $2 AND ($3::integer IS NULL OR number > $3)
    AND ($5::jsonb IS NULL OR faults @> $5)
  ORDER BY number LIMIT $4`;

/** Returns the failed rows, or those with one kind of fault, in the order of the file: line, all faults and cells. */
export const listFailures = memberOperation({
  name: "imports.errors",
  ...IMPORTS,
  input: Type.Object({ ...Input.properties, ...ofError }, { additionalProperties: false }),
  run: (context, input) =>
    page(
      context,
      input,
      "imports.errors",
      () => FAILURES,
      () => "errors",
    ),
});

/** The reason for what an undo kept of a row, in the words of imports, which know three. */
const REASON = `CASE WHEN k.after @? '$.kept[*] ? (@.reason == "gone")' THEN 'gone'
    WHEN k.after @? '$.kept[*] ? (@.field != null && (@.reason == "does_not_fit" || @.reason == "taken"))' THEN 'does_not_fit'
    ELSE 'changed' END`;

const REASON_OF_LEAD = `CASE WHEN k.after @? '$.kept[*] ? (@.reason == "gone" || @.reason == "deleted")' THEN 'gone'
    WHEN k.after @? '$.kept[*] ? (@.reason == "merged")' THEN 'merged'
    WHEN k.after @? '$.kept[*] ? (@.reason == "has_events")' THEN 'has_events'
    WHEN k.after @? '$.kept[*] ? (@.reason == "opt_out")' THEN 'opt_out' ELSE 'changed' END`;

const KEPT = (name: "lead_id" | "row_id", reason: string): string => `SELECT k.record_id AS place,
      json_build_object('${name}', k.record_id, 'reason', ${reason},
      'fields', jsonb_path_query_array(k.after, '$.kept[*].field ? (@ != null)'))::text AS json
  FROM import i JOIN change_item k ON k.project_id = $1 AND k.change_id = i.undo_change_id AND k.kind = 'kept'
  WHERE i.project_id = $1 AND i.id = $2 AND ($3::text IS NULL OR k.record_id > $3)
  ORDER BY k.record_id LIMIT $4`;

/** Returns the leads or rows that an undo left unchanged because they were edited since, with the edited fields. */
export const listKept = memberOperation({
  name: "imports.kept",
  ...IMPORTS,
  input: Input,
  run: (context, input) =>
    page(
      context,
      input,
      "imports.kept",
      (dataset) => (dataset === null ? KEPT("lead_id", REASON_OF_LEAD) : KEPT("row_id", REASON)),
      (dataset) => (dataset === null ? "leads" : "rows"),
    ),
});
