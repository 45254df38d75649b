import { Type } from "typebox";
import { Refusal } from "../../../core/refusal.ts";
import { fieldsOf, newChange } from "../../changes/change.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { may } from "../../operation/may-sql.ts";
import { memberOperation } from "../../operation/operation.ts";
import { warn } from "../../operation/service/warn.ts";
import { identifiersOf } from "../identity/identifiers.ts";
import { underLocks } from "../identity/identity-locks.ts";
import { resolve } from "../identity/resolve.ts";
import { changeLeads } from "./change-leads.ts";
import { readNewLead } from "./create-lead.ts";
import { doubtsTold } from "./doubts.ts";
import type { Unwritten, Upsert } from "./plan-upserts.ts";
import { readNew, readWith } from "./read-lead.ts";
import { unwrittenRefusal } from "./unwritten.ts";
import { isUnwritten, upsertLeads } from "./upsert-leads.ts";
import { type WrittenLead, writtenLead } from "./write-outcome.ts";

const NewLead = Type.Object(
  {
    lead: Type.Unknown({ description: "The fields of the lead, a NewLead." }),
    on_duplicate: Type.Enum(["fail", "return", "update"], {
      description: "What to do if the record is about a lead that is there already.",
    }),
  },
  { additionalProperties: false },
);

/**
 * Creates a lead unless the record is about one that is there; then refuses (409), returns that lead unchanged, or updates it.
 * Concurrent calls create one lead. A caller who may not read leads gets null unless its lead is written in either case, so
 * that nobody learns without a trace who is stored.
 */
export const createLeadOnce = memberOperation({
  name: "leads.create_once",
  needs: "leads:write",
  input: NewLead,
  async run(context, { lead, on_duplicate: mode }): Promise<WrittenLead | null> {
    const { service, db, caller } = context;
    const read = ({ country, ...schema }: WritingSchema) => {
      const patch = readNewLead(readNew(lead, { country, ...schema }, "$.lead"), "$.lead");
      return { patch, country, identifiers: identifiersOf(patch, country) };
    };
    const { patch, country, identifiers } = await readWith(context, [lead], read);
    const upsert: Upsert = { place: 0, patch, identifiers, expected: { if_absent: mode !== "update" } };
    const change = newChange(context, "lead.upsert", { about: { fields: fieldsOf([patch]) } });
    const done = await underLocks(db, caller.projectId, { identifiers, country }, async (tx, known) => {
      const there = mode === "return" ? resolve(identifiers, known) : undefined;
      if (there !== undefined && "by" in there)
        return (await changeLeads(tx, change, "set", [{ place: 0, id: there.lead.id, patch: {} }]))[0];
      return (await upsertLeads(tx, change, [upsert], { keepsOptOut: true, country, known }))[0];
    });
    if (done !== undefined && isUnwritten(done)) {
      const mayRead = await may(db, caller, "leads:read");
      if (mode !== "update" && !mayRead) return null;
      throw done.outcome === "unexpected" ? duplicate(done) : unwrittenRefusal(done, mayRead);
    }
    warn(service, await doubtsTold(db, caller, done, "$.lead"));
    const shown = writtenLead(done === undefined ? [] : [done]);
    if (mode === "update" || !isReceipt(shown)) return shown;
    // Nobody learns from the answer whether there is a change.
    change.made = false;
    return null;
  },
});

/** Whether the record has nothing but what a caller who may not read leads is shown. */
const isReceipt = ({ json }: WrittenLead): boolean => !("created_at" in (JSON.parse(json) as object));

function duplicate({ among }: Unwritten): Refusal {
  const ids = among.map(({ id }) => id);
  const by = among[0]?.identifier.kind ?? "id";
  const message = `A lead with this ${by} already exists: ${ids.join(", ")}. No lead was created.`;
  const faults = among.map(({ identifier, id }) => ({
    path: `$.lead.${identifier.field}`,
    code: "candidate",
    message: id,
  }));
  return new Refusal("conflict", "duplicate", message, { faults });
}
