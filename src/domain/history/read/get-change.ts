import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../../operation/cursor.ts";
import { checked, memberOperation, refuse } from "../../operation/operation.ts";
import { Parameters } from "../../sql/parameters.ts";
import { changeJson } from "./change-record.ts";
import { type RecordMark, recordJson, recordKeysSql } from "./change-records.ts";

const ChangeQuery = Type.Object(
  {
    id: Type.String({ description: "The change's id." }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    cursor: Cursor,
  },
  { additionalProperties: false },
);

interface PageRow {
  json: string;
  records: string | null;
  last: RecordMark | null;
  more: boolean;
}

/** A change with a page of what it did to records, as JSON text. */
export const getChange = memberOperation({
  name: "changes.get",
  needs: "leads:read",
  input: ChangeQuery,
  async run(
    context,
    { id, limit = 50, cursor },
  ): Promise<{ json: string; records: string; nextCursor: string | null }> {
    const { service, db, caller } = context;
    if (!isId("chg", id)) return await refuse(db, notFound("change"));
    const binding: CursorBinding = [caller.projectId, "changes.get", id];
    const after = await checked(context, () =>
      cursor === undefined ? undefined : readCursor<RecordMark>(service, binding, cursor),
    );
    const parameters = new Parameters();
    const project = parameters.text(caller.projectId);
    const change = parameters.text(id);
    const names = { project, change, limit, after };
    const text = `WITH ${recordKeysSql(names, parameters)},
      shown AS MATERIALIZED (SELECT * FROM keys ORDER BY place, key LIMIT ${limit})
      SELECT ${changeJson(caller, parameters)} AS json,
        (SELECT string_agg(${recordJson(names, caller, parameters)}::text, ',' ORDER BY place, key) FROM shown k) AS records,
        (SELECT jsonb_build_array(place, key) FROM shown ORDER BY place DESC, key DESC LIMIT 1) AS last,
        (SELECT count(*) FROM keys) > ${limit} AS more
      FROM change c WHERE c.project_id = ${project} AND c.id = ${change}`;
    const [page] = await db.query<PageRow>(text, parameters.values);
    if (page === undefined) throw notFound("change");
    const { json, records, last, more } = page;
    return {
      json,
      records: `[${records ?? ""}]`,
      nextCursor: more && last !== null ? writeCursor(service, binding, last) : null,
    };
  },
});
