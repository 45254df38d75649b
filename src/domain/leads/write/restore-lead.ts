import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import { memberOperation, refuse } from "../../operation/operation.ts";
import { Version } from "../../values/version.ts";
import { LeadId } from "../read/lead-id.ts";
import { changeLead } from "./change-leads.ts";
import type { WrittenLead } from "./write-outcome.ts";

/** Restores a deleted lead unchanged; a lead that is not deleted stays unchanged. */
export const restoreLead = memberOperation({
  name: "leads.restore",
  needs: "leads:write",
  input: Type.Object({ id: LeadId, version: Type.Optional(Version) }, { additionalProperties: false }),
  async run(context, { id, version }): Promise<WrittenLead> {
    if (!isId("lead", id)) return await refuse(context.db, notFound("lead"));
    return await changeLead(context, "restore", { id, version, patch: {} });
  },
});
