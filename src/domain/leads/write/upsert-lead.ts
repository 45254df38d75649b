import { Type } from "typebox";
import type { IdentityName } from "../../../contract/lists/identities.ts";
import { MatchOn } from "../../../contract/nouns/lead-input.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { memberOperation } from "../../operation/operation.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { may } from "../../operation/may-sql.ts";
import { identitiesOf, identityKeys, matchOrder } from "../identity/identity.ts";
import { lockIdentities } from "../identity/identity-locks.ts";
import { changeLeads } from "./change-leads.ts";
import { insertLeads } from "./insert-leads.ts";
import { readLead, readWith, unprocessable } from "./read-lead.ts";
import { upsertLeads } from "./upsert-leads.ts";
import { type Written, type WrittenLead, writtenLead } from "./write-outcome.ts";

/**
 * Updates the lead with this identity, or creates it; refuses (409) if several leads have it. Concurrent calls
 * create one lead. A caller that may only create is refused nothing for what is stored.
 */
export const upsertLead = memberOperation({
  name: "leads.upsert",
  needs: "leads:write",
  orNeeds: "leads:create",
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
    const work = db.transaction(async (tx) => {
      await lockIdentities(tx, caller.projectId, identityKeys(patch));
      const [done] = await upsertLeads(tx, caller, [{ place: 0, patch, matchOn }]);
      if (done === undefined || isWritten(done) || (await may(tx, caller, "leads:write"))) return done;
      return await writtenAnyway(tx, caller, patch, done);
    });
    const written = await work.catch(async (error: unknown) => {
      if (!isConflict(error) || (await may(db, caller, "leads:write"))) throw error;
      const { external_id: _, ...rest } = patch;
      return (await insertLeads(db, caller, [{ place: 0, patch: rest }]))[0];
    });
    if (written?.outcome === "ambiguous") throw ambiguous(written, await may(db, caller, "leads:read"));
    return writtenLead(written === undefined ? [] : [written]);
  },
});

type Done = Awaited<ReturnType<typeof upsertLeads>>[number];

const isWritten = ({ outcome }: Done): boolean =>
  outcome === "created" || outcome === "updated" || outcome === "unchanged";

const isConflict = (error: unknown): boolean => error instanceof Refusal && error.kind === "conflict";

/** Changes the oldest of several leads with the identity, or creates one: a form's visitor is never turned away. */
async function writtenAnyway(
  tx: Transaction,
  caller: Credential,
  patch: LeadPatch,
  done: Done,
): Promise<Written | undefined> {
  const [id] = done.outcome === "ambiguous" ? [...done.ids].sort() : [];
  const [changed] = id === undefined ? [] : await changeLeads(tx, caller, "set", [{ place: 0, id, patch }]);
  if (changed !== undefined && isWritten(changed)) return changed;
  return (await insertLeads(tx, caller, [{ place: 0, patch }]))[0];
}

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
 * Returns the refusal if several leads have the identity. It names them to callers who may read leads, so that they
 * can merge them or use an id.
 */
export function ambiguous(
  { by, ids }: { by: IdentityName; ids: readonly string[] },
  mayRead: boolean,
): Refusal {
  if (!mayRead)
    return new Refusal("conflict", "ambiguous", `Several leads have this ${by}. Use the id of one of them.`);
  const message = `${ids.length} leads have this ${by}: ${ids.join(", ")}. Merge them, or change one of them by its id.`;
  const faults = ids.map((id) => ({ path: `$.lead.${by}`, code: "candidate", message: id }));
  return new Refusal("conflict", "ambiguous", message, { faults });
}
