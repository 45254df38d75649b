import { Type } from "typebox";
import { Reason } from "../../../contract/leads/lead-input.ts";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { checked, memberOperation, refuse } from "../../operation/operation.ts";
import { bad } from "../../values/bad-input.ts";
import { unstorable } from "../../values/value.ts";
import { Version } from "../../values/version.ts";
import { LeadId } from "../read/lead-id.ts";
import { changeLead } from "./change-leads.ts";
import { readLead, writeWith } from "./read-lead.ts";
import { addressesOf } from "./shared-addresses.ts";
import type { WrittenLead } from "./write-outcome.ts";

/** Reads why an opt-out is cleared or set; refuses (400) a reason for anything else. */
function readReason(given: string, lead: unknown): string {
  if (typeof lead !== "object" || lead === null || !("do_not_contact" in lead))
    bad("$.reason", "unexpected", "is allowed only together with do_not_contact, whose change it explains");
  const fault = unstorable(given);
  if (fault !== undefined) bad("$.reason", fault.code, fault.message);
  return given.trim() || bad("$.reason", "empty", "must not be empty");
}

/**
 * Changes the given fields of a lead (RFC 7396: null empties one) and no others. With a `version`, refuses (412)
 * unless it is the current one. A `reason` says why `do_not_contact` changes.
 */
export const updateLead = memberOperation({
  name: "leads.update",
  needs: "leads:write",
  input: Type.Object(
    {
      id: LeadId,
      version: Type.Optional(Version),
      reason: Type.Optional(Reason),
      lead: Type.Unknown({ description: "The fields to change, a LeadInput." }),
    },
    { additionalProperties: false },
  ),
  async run(context, { id, version, reason: given, lead }): Promise<WrittenLead> {
    if (!isId("lead", id)) return await refuse(context.db, notFound("lead"));
    const reason = given === undefined ? undefined : await checked(context, () => readReason(given, lead));
    const read = (schema: WritingSchema) => {
      const patch = readLead(lead, schema);
      return { patch, gives: addressesOf(patch, schema) };
    };
    const write = ({ patch, gives }: ReturnType<typeof read>, check: readonly Statement[]) =>
      changeLead(context, "set", { id, version, patch, reason }, gives, check);
    return await writeWith(context, [lead], read, write, "addresses");
  },
});
