import { type Static, Type } from "typebox";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { memberOperation } from "../../operation/operation.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { may } from "../../operation/may-sql.ts";
import { findCandidates, type Match, type Upsert } from "../identity/find-candidates.ts";
import { identityKeys, matchOrder } from "../identity/identity.ts";
import { lockIdentities } from "../identity/identity-locks.ts";
import { changeLeads } from "./change-leads.ts";
import { readNewLead } from "./create-lead.ts";
import { insertLeads } from "./insert-leads.ts";
import { readLead, readWith } from "./read-lead.ts";
import { ambiguous } from "./upsert-lead.ts";
import { upsertLeads } from "./upsert-leads.ts";
import { type WrittenLead, writtenLead } from "./write-outcome.ts";

const NewLead = Type.Object(
  {
    lead: Type.Unknown({ description: "The fields of the lead, a LeadInput." }),
    on_duplicate: Type.Enum(["fail", "return", "update"], {
      description: "What to do if a lead already has this external id, e-mail or phone.",
    }),
  },
  { additionalProperties: false },
);

/**
 * Creates a lead unless one with its external id, e-mail or phone exists; then refuses (409), returns that lead
 * unchanged, or updates it. Concurrent calls create one lead.
 */
export const createLeadOnce = memberOperation({
  name: "leads.create_once",
  needs: "leads:write",
  input: NewLead,
  async run(context, { lead, on_duplicate: mode }): Promise<WrittenLead> {
    const { db, caller } = context;
    const patch = await readWith(context, [lead], (schema) =>
      readNewLead(readLead(lead, schema, "$.lead"), "$.lead"),
    );
    const upsert: Upsert = { place: 0, patch, matchOn: matchOrder(undefined) };
    const [written] = await db.transaction(async (tx) => {
      await lockIdentities(tx, caller.projectId, identityKeys(patch));
      if (mode === "update") return await upsertLeads(tx, caller, [upsert]);
      const id = await knownAs(tx, caller, upsert, mode);
      if (id === undefined) return await insertLeads(tx, caller, [upsert]);
      return await changeLeads(tx, caller, "set", [{ place: 0, id, patch: {} }]);
    });
    if (written?.outcome === "ambiguous") throw ambiguous(written, await may(db, caller, "leads:read"));
    return writtenLead(written === undefined ? [] : [written]);
  },
});

/** Returns the id of the existing lead; refuses one that must not exist, and several. */
async function knownAs(
  tx: Transaction,
  caller: Credential,
  upsert: Upsert,
  mode: Static<typeof NewLead>["on_duplicate"],
): Promise<string | undefined> {
  const match = (await findCandidates(tx, caller.projectId, [upsert])).get(upsert.place);
  if (match === undefined) return undefined;
  if (mode === "return" && match.ids.length === 1) return match.ids[0];
  const mayRead = await may(tx, caller, "leads:read");
  throw mode === "fail" ? duplicate(match, mayRead) : ambiguous(match, mayRead);
}

function duplicate({ by, ids }: Match, mayRead: boolean): Refusal {
  if (!mayRead)
    return new Refusal(
      "conflict",
      "duplicate",
      `A lead with this ${by} already exists. No lead was created.`,
    );
  const message = `A lead with this ${by} already exists: ${ids.join(", ")}. No lead was created.`;
  const faults = ids.map((id) => ({ path: `$.lead.${by}`, code: "candidate", message: id }));
  return new Refusal("conflict", "duplicate", message, { faults });
}
