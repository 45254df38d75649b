import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import { memberOperation, refuse } from "../../operation/operation.ts";
import { Version } from "../../values/version.ts";
import { LeadId } from "../read/lead-id.ts";
import { changeLead } from "./change-leads.ts";
import type { WrittenLead } from "./write-outcome.ts";

/** Deletes a lead so that it can be restored. A second call is refused (404). */
export const deleteLead = memberOperation({
  name: "leads.delete",
  needs: "leads:write",
  input: Type.Object({ id: LeadId, version: Type.Optional(Version) }, { additionalProperties: false }),
  async run(context, { id, version }): Promise<WrittenLead> {
    if (!isId("lead", id)) return await refuse(context.db, notFound("lead"));
    return await changeLead(context, "delete", { id, version, patch: {} });
  },
});
