import { type Static, Type } from "typebox";
import { type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import type { MemberContext } from "../operation/operation.ts";
import { checked } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";
import type { JobRow } from "./job-record.ts";

/** Which page of a list of jobs is requested. */
export const JobList = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    cursor: Type.Optional(
      Type.String({ maxLength: 1_000, description: "next_cursor of the previous page." }),
    ),
  },
  { additionalProperties: false },
);

/** A page of jobs; `json` is the text of the array. */
export interface JobPage {
  json: string;
  nextCursor: string | null;
}

/** The project's jobs of these kinds, newest first, formatted by `records`. */
export async function jobPage(
  { service, db, caller }: MemberContext,
  { limit = 50, cursor }: Static<typeof JobList>,
  list: { name: string; kinds: readonly string[]; records(rows: string, parameters: Parameters): string },
): Promise<JobPage> {
  const binding: CursorBinding = [caller.projectId, list.name];
  const parameters = new Parameters();
  const older = await checked({ db }, () =>
    cursor === undefined ? "" : `AND id < ${parameters.text(readCursor<string>(service, binding, cursor))}`,
  );
  const rows = `SELECT * FROM job WHERE project_id = ${parameters.text(caller.projectId)}
    AND kind = ANY (${parameters.texts(list.kinds)}) ${older}
    ORDER BY id DESC LIMIT ${parameters.add(limit + 1)}::integer`;
  const text = list.records(rows, parameters);
  const found = await db.query<JobRow>(text, parameters.values, { prepare: true });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1)?.id : undefined;
  return {
    json: `[${shown.map(({ json }) => json).join(",")}]`,
    nextCursor: last === undefined ? null : writeCursor(service, binding, last),
  };
}
