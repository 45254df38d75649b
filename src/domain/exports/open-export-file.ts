import type { Readable } from "node:stream";
import type { LeadsExport } from "../../contract/leads/query.ts";
import { withSchema } from "../filter/with-schema.ts";
import type { MemberContext } from "../operation/operation.ts";
import { zoneUnknown } from "../values/timezone.ts";
import { copyOut, type Reading } from "./copy-out.ts";
import { type ExportPlan, exportSql } from "./export-sql.ts";

/** Plans an export behind the caller's door; refuses a bad input. */
export async function planFile(context: MemberContext, input: LeadsExport): Promise<ExportPlan> {
  return await withSchema(context, input, (schema) => exportSql(context.caller.projectId, input, schema), [
    "custom.",
  ]);
}

/** The file of an export as a stream from one statement, with all leads that match at this time. */
export async function openFile(
  context: MemberContext,
  plan: ExportPlan,
  reading: Reading,
): Promise<Readable> {
  return await copyOut(context.service, context.db, plan, reading).catch(zoneUnknown);
}
