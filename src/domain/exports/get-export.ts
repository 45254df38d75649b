import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { type ExportRow, ONE_EXPORT } from "./export-record.ts";

/** An export by its id. */
export const ExportId = Type.Object(
  { id: Type.String({ description: "The export's id, such as exp_01k3…" }) },
  { additionalProperties: false },
);

/** An export and its progress, as JSON text. */
export const getExport = memberOperation({
  name: "exports.get",
  lane: "keyed",
  needs: "leads:read",
  input: ExportId,
  async run({ db, caller }, { id }): Promise<string> {
    if (!isId("exp", id)) return await refuse(db, notFound("export"));
    const [row] = await db.query<ExportRow>(ONE_EXPORT, [caller.projectId, id], { prepare: true });
    if (row === undefined) throw notFound("export");
    return row.json;
  },
});
