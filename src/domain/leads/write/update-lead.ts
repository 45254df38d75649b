import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { memberOperation, refuse } from "../../operation/operation.ts";
import { Version } from "../../values/version.ts";
import { LeadId } from "../read/lead-id.ts";
import { changeLead } from "./change-leads.ts";
import { readLead, writeWith } from "./read-lead.ts";
import { addressesOf } from "./shared-addresses.ts";
import type { WrittenLead } from "./write-outcome.ts";

/**
 * Changes the given fields of a lead (RFC 7396: null empties one) and no others. With a `version`, refuses (412)
 * unless it is the current one.
 */
export const updateLead = memberOperation({
  name: "leads.update",
  needs: "leads:write",
  input: Type.Object(
    {
      id: LeadId,
      version: Type.Optional(Version),
      lead: Type.Unknown({ description: "The fields to change, a LeadInput." }),
    },
    { additionalProperties: false },
  ),
  async run(context, { id, version, lead }): Promise<WrittenLead> {
    if (!isId("lead", id)) return await refuse(context.db, notFound("lead"));
    const read = (schema: WritingSchema) => {
      const patch = readLead(lead, schema);
      return { patch, gives: addressesOf(patch, schema) };
    };
    const write = ({ patch, gives }: ReturnType<typeof read>, check: readonly Statement[]) =>
      changeLead(context, "set", { id, version, patch }, gives, check);
    return await writeWith(context, [lead], read, write, "addresses");
  },
});
