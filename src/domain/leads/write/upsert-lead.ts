import { Type } from "typebox";
import type { IdentityName } from "../../../contract/lists/identities.ts";
import { MatchOn } from "../../../contract/nouns/lead-input.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { memberOperation } from "../../operation/operation.ts";
import { identitiesOf, identityKeys, matchOrder } from "../identity/identity.ts";
import { lockIdentities } from "../identity/identity-locks.ts";
import { readLead, readWith, unprocessable } from "./read-lead.ts";
import { upsertLeads } from "./upsert-leads.ts";
import { type WrittenLead, writtenLead } from "./write-outcome.ts";

/**
 * Updates the lead with this identity, or creates it; refuses (409) if several leads have it. Concurrent calls
 * create one lead.
 */
export const upsertLead = memberOperation({
  name: "leads.upsert",
  needs: "leads:write",
  input: Type.Object(
    {
      match_on: Type.Optional(MatchOn),
      lead: Type.Unknown({ description: "The fields of the lead, a LeadInput." }),
    },
    { additionalProperties: false },
  ),
  async run(context, { match_on: given, lead }): Promise<WrittenLead> {
    const { db, caller } = context;
    const matchOn = matchOrder(given);
    const patch = await readWith(context, [lead], (schema) =>
      identified(readLead(lead, schema, "$.lead"), matchOn, "$.lead"),
    );
    const [written] = await db.transaction(async (tx) => {
      await lockIdentities(tx, caller.projectId, identityKeys(patch));
      return await upsertLeads(tx, caller, [{ place: 0, patch, matchOn }]);
    });
    if (written?.outcome === "ambiguous") throw ambiguous(written);
    return writtenLead(written === undefined ? [] : [written]);
  },
});

/** Refuses a lead without an identity to find it by. */
export function identified(patch: LeadPatch, matchOn: readonly IdentityName[], path: string): LeadPatch {
  const own = identitiesOf(patch);
  if (matchOn.some((name) => own[name] !== undefined)) return patch;
  if (matchOn.includes("phone") && typeof patch.phone === "string") {
    const message = "is not a phone number; write it with its country code, such as +55 11 91234-5678";
    throw unprocessable([{ path: `${path}.phone`, code: "not_a_phone", message }]);
  }
  const message = `needs ${matchOn.join(" or ")} to find the lead by`;
  throw unprocessable([{ path, code: "no_identity", message }]);
}

/**
 * Returns the refusal if several leads have the identity. It names them, so that the caller can merge them or use
 * an id.
 */
export function ambiguous({ by, ids }: { by: IdentityName; ids: readonly string[] }): Refusal {
  const message = `${ids.length} leads have this ${by}: ${ids.join(", ")}. Merge them, or change one of them by its id.`;
  const faults = ids.map((id) => ({ path: `$.lead.${by}`, code: "candidate", message: id }));
  return new Refusal("conflict", "ambiguous", message, { faults });
}
