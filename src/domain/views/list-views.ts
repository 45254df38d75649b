import { Type } from "typebox";
import { type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { VIEW_JSON, type ViewRecord } from "./view.ts";

const ViewList = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    cursor: Type.Optional(
      Type.String({ maxLength: 1_000, description: "next_cursor of the previous page." }),
    ),
  },
  { additionalProperties: false },
);

const OLDER = `SELECT v.id, v.version, ${VIEW_JSON} AS json FROM saved_view v
  WHERE project_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

/** The project's saved views, newest first. */
export const listViews = memberOperation({
  name: "views.list",
  needs: "leads:read",
  input: ViewList,
  async run(context, { limit = 50, cursor }): Promise<{ json: string; nextCursor: string | null }> {
    const { service, db, caller } = context;
    const binding: CursorBinding = [caller.projectId, "views.list"];
    const before = await checked(context, () =>
      cursor === undefined ? null : readCursor<string>(service, binding, cursor),
    );
    const rows = await db.query<ViewRecord>(OLDER, [caller.projectId, before, limit + 1], { prepare: true });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1)?.id : undefined;
    return {
      json: `[${shown.map(({ json }) => json).join(",")}]`,
      nextCursor: last === undefined ? null : writeCursor(service, binding, last),
    };
  },
});
