import { Type } from "typebox";
import { fieldsOf, newChange } from "../../changes/change.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { memberOperation, requiring } from "../../operation/operation.ts";
import { insertLeads } from "./insert-leads.ts";
import { readNew, unprocessable, writeWith } from "./read-lead.ts";
import { type WrittenLead, writtenLead } from "./write-outcome.ts";

/**
 * Creates a lead, without looking for an existing one (upsert does). An external id may be taken, which is not for a
 * caller to know that may only create.
 */
export const createLead = memberOperation({
  name: "leads.create",
  needs: "leads:write",
  orNeeds: "leads:create",
  input: Type.Object(
    { lead: Type.Unknown({ description: "The fields of the lead, a NewLead." }) },
    { additionalProperties: false },
  ),
  async run(asked, { lead }): Promise<WrittenLead> {
    const named = typeof lead === "object" && lead !== null && "external_id" in lead;
    const context = named ? requiring(asked, { any: ["leads:write"] }) : asked;
    const read = (schema: WritingSchema) => readNewLead(readNew(lead, schema), "$");
    const written = await writeWith(context, [lead], read, async (patch, check) => {
      const change = newChange(context, "lead.create", { about: { fields: fieldsOf([patch]) } });
      return writtenLead(await insertLeads(context.db, change, [{ place: 0, patch }], { ahead: check }));
    });
    // The receipt of a lead that was not there before tells nothing that was stored.
    return written.json === ""
      ? { ...written, json: JSON.stringify({ id: written.id, version: 1 }) }
      : written;
  },
});

/** Refuses a lead without any field; the time at which it came in says nothing about it. */
export function readNewLead<Patch extends object>(patch: Patch, path: string): Patch {
  if (Object.keys(patch).some((field) => field !== "created_at")) return patch;
  throw unprocessable([{ path, code: "empty", message: "needs at least one field, such as email or name" }]);
}
