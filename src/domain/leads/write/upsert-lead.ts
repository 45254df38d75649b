import { Type } from "typebox";
import type { IdentityName } from "../../../contract/lists/identities.ts";
import { MatchOn } from "../../../contract/nouns/lead-input.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { checked, memberOperation } from "../../operation/operation.ts";
import { bad } from "../../values/bad-input.ts";
import { Version } from "../../values/version.ts";
import { againIfTaken } from "../identity/external-id.ts";
import type { Expected } from "../identity/find-candidates.ts";
import { identitiesOf, identityKeys, matchOrder } from "../identity/identity.ts";
import { lockIdentities } from "../identity/identity-locks.ts";
import { readNew, readWith, unprocessable } from "./read-lead.ts";
import { type Unwritten, upsertLeads } from "./upsert-leads.ts";
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
      lead: Type.Unknown({ description: "The fields of the lead, a NewLead." }),
      if_version: Type.Optional(Type.Union([Version, Type.Literal("*")])),
      if_absent: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  async run(context, { match_on: given, lead, ...expected }): Promise<WrittenLead> {
    const { db, caller } = context;
    const matchOn = matchOrder(given);
    await checked(context, () => checkExpected(expected, "$"));
    const patch = await readWith(context, [lead], (schema) =>
      identified(readNew(lead, schema, "$.lead"), matchOn, "$.lead"),
    );
    const [written] = await againIfTaken(() =>
      db.transaction(async (tx) => {
        await lockIdentities(tx, caller.projectId, identityKeys(patch));
        return await upsertLeads(tx, caller, [{ place: 0, patch, matchOn, expected }]);
      }),
    );
    if (written !== undefined && "by" in written) throw unwritten(written);
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

/** Refuses conditions that exclude each other. */
export function checkExpected({ if_version: version, if_absent: absent }: Expected, path: string): void {
  if (version !== undefined && absent === true)
    bad(`${path}.if_absent`, "condition_twice", "must not be given together with if_version");
}

/** Returns the refusal of an upsert that wrote nothing because of the leads that it found. */
export function unwritten({ outcome, by, ids }: Unwritten): Refusal {
  if (outcome === "ambiguous") return ambiguous({ by, ids });
  if (outcome === "not_found") {
    const message = "No lead was found, so none has the expected version. Nothing was created.";
    return new Refusal("stale", "nothing_found", message);
  }
  const message = `A lead with this ${by} already exists: ${ids.join(", ")}. Nothing was changed.`;
  const faults = ids.map((id) => ({ path: `$.lead.${by}`, code: "candidate", message: id }));
  return new Refusal("stale", "lead_exists", message, { faults });
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
