import { type Static, Type } from "typebox";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Row } from "../../../db/wire/statement-batch.ts";
import { fieldsOf, newChange } from "../../changes/change.ts";
import { may } from "../../operation/may-sql.ts";
import { memberOperation } from "../../operation/operation.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { againIfTaken } from "../identity/external-id.ts";
import {
  candidates,
  findCandidates,
  type Match,
  matchesOf,
  type Upsert,
} from "../identity/find-candidates.ts";
import { identityKeys, matchOrder } from "../identity/identity.ts";
import { identitiesLock, inTurn } from "../identity/identity-locks.ts";
import { changeLeads } from "./change-leads.ts";
import { readNewLead } from "./create-lead.ts";
import { insertLeads } from "./insert-leads.ts";
import { readNew, readWith } from "./read-lead.ts";
import { ambiguous, unwritten } from "./upsert-lead.ts";
import { upsertLeads } from "./upsert-leads.ts";
import { type WrittenLead, writtenLead } from "./write-outcome.ts";

const NewLead = Type.Object(
  {
    lead: Type.Unknown({ description: "The fields of the lead, a NewLead." }),
    on_duplicate: Type.Enum(["fail", "return", "update"], {
      description: "What to do if a lead already has this external id, e-mail or phone.",
    }),
  },
  { additionalProperties: false },
);

/**
 * Creates a lead unless one with its external id, e-mail or phone exists; then refuses (409), returns that lead
 * unchanged, or updates it. Concurrent calls create one lead. A caller who may not read leads gets null unless its
 * lead is written in either case, so that nobody learns without a trace who is stored.
 */
export const createLeadOnce = memberOperation({
  name: "leads.create_once",
  needs: "leads:write",
  input: NewLead,
  async run(context, { lead, on_duplicate: mode }): Promise<WrittenLead | null> {
    const { db, caller } = context;
    const patch = await readWith(context, [lead], (schema) =>
      readNewLead(readNew(lead, schema, "$.lead"), "$.lead"),
    );
    const upsert: Upsert = { place: 0, patch, matchOn: matchOrder(undefined) };
    const identities = identityKeys(patch);
    const change = newChange(context, "lead.upsert", { about: { fields: fieldsOf([patch]) } });
    const ahead = [identitiesLock(caller.projectId, identities), candidates(caller.projectId, [upsert])];
    const work = async (tx: Transaction, [, found = []]: Row[][]) => {
      let matches = matchesOf([upsert], found);
      if (mode === "update") return await upsertLeads(tx, change, [upsert], matches);
      for (let attempt = 1; ; attempt += 1) {
        const id = await knownAs(tx, caller, matches.get(upsert.place), mode);
        if (id === null) return null;
        if (id !== undefined) return await changeLeads(tx, change, "set", [{ place: 0, id, patch: {} }]);
        const made = await insertLeads(tx, change, [upsert]);
        // A call that creates leads without looking for them was faster; now its lead is found.
        if (made[0]?.outcome !== "taken" || attempt === 3) return made;
        matches = await findCandidates(tx, caller.projectId, [upsert]);
      }
    };
    const done = await inTurn(caller.projectId, identities, () =>
      againIfTaken(() => db.transaction(work, undefined, ahead)),
    );
    if (done === null) return null;
    const [written] = done;
    if (written !== undefined && "by" in written)
      throw unwritten(written, await may(db, caller, "leads:read"));
    const shown = writtenLead(written === undefined ? [] : [written]);
    if (mode === "update" || !isReceipt(shown)) return shown;
    // Nobody learns from the answer whether there is a change.
    change.made = false;
    return null;
  },
});

/** Whether the record has nothing but what a caller who may not read leads is shown. */
const isReceipt = ({ json }: WrittenLead): boolean => !("created_at" in (JSON.parse(json) as object));

/**
 * Returns the id of the existing lead, null to callers who may not know of it; refuses one that must not exist, and
 * several.
 */
async function knownAs(
  tx: Transaction,
  caller: Credential,
  match: Match | undefined,
  mode: Static<typeof NewLead>["on_duplicate"],
): Promise<string | null | undefined> {
  if (match === undefined) return undefined;
  if (mode === "return" && match.ids.length === 1) return match.ids[0];
  if (!(await may(tx, caller, "leads:read"))) return null;
  throw mode === "fail" ? duplicate(match) : ambiguous(match, true);
}

function duplicate({ by, ids }: Match): Refusal {
  const message = `A lead with this ${by} already exists: ${ids.join(", ")}. No lead was created.`;
  const faults = ids.map((id) => ({ path: `$.lead.${by}`, code: "candidate", message: id }));
  return new Refusal("conflict", "duplicate", message, { faults });
}
