import { Type } from "typebox";
import { Refusal } from "../../../core/refusal.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { fieldsOf, newChange } from "../../changes/change.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { may } from "../../operation/may-sql.ts";
import { type MemberContext, memberOperation, requiring } from "../../operation/operation.ts";
import { insertLeads } from "./insert-leads.ts";
import { readNew, unprocessable, writeWith } from "./read-lead.ts";
import { addressesOf, writeWatched } from "./shared-addresses.ts";
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
    const read = (schema: WritingSchema) => {
      const patch = readNewLead(readNew(lead, schema), "$");
      return { patch, gives: addressesOf(patch, schema) };
    };
    const write = async ({ patch, gives }: ReturnType<typeof read>, ahead: readonly Statement[]) => {
      const change = newChange(context, "lead.create", { about: { fields: fieldsOf([patch]) } });
      const written = await writeWatched(context, gives, { ahead }, (db, sent) =>
        insertLeads(db, change, [{ place: 0, patch }], sent),
      );
      return writtenLead(written);
    };
    const written = await writeWith(context, [lead], read, write, "addresses").catch((error: unknown) =>
      named ? withheld(asked, error) : Promise.reject(error),
    );
    // The receipt of a lead that was not there before tells nothing that was stored.
    return written.json === ""
      ? { ...written, json: JSON.stringify({ id: written.id, version: 1 }) }
      : written;
  },
});

const WITHHELD =
  "A key with leads:create alone cannot send external_id here, because the answer would tell whether a lead has it. " +
  "Send it with PUT /api/v1/leads/upsert, or use a key with leads:write.";

/** Throws why a lead with an external id was not created; a key that may create leads is told why it may not name them. */
async function withheld({ db, caller }: MemberContext, error: unknown): Promise<never> {
  const isWithheld = error instanceof Refusal && error.code === "missing_permission";
  if (!isWithheld || !(await may(db, caller, "leads:create"))) throw error;
  const faults = [{ path: "$.external_id", code: "external_id_withheld", message: WITHHELD }];
  throw new Refusal("forbidden", "external_id_withheld", WITHHELD, { faults });
}

/** Refuses a lead without any field; the time at which it came in says nothing about it. */
export function readNewLead<Patch extends object>(patch: Patch, path: string): Patch {
  if (Object.keys(patch).some((field) => field !== "created_at")) return patch;
  throw unprocessable([{ path, code: "empty", message: "needs at least one field, such as email or name" }]);
}
