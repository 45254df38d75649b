import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { LeadId } from "../leads/read/lead-id.ts";
import { actorOf } from "../operation/actor.ts";
import { record } from "../operation/audit/record.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { erase } from "./erase.ts";
import { countryOf, findLineage } from "./find-subject.ts";

/**
 * Erases a lead permanently, deleted or not, with the leads merged into it and everything that the service holds of
 * them: see `erase`. Audited without the lead's data.
 */
export const eraseLead = memberOperation({
  name: "leads.erase",
  needs: "leads:erase",
  input: Type.Object(
    { id: LeadId, suppress: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  async run(context, { id, suppress = false }): Promise<void> {
    const { service, db, caller } = context;
    const { projectId } = caller;
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    await erase(
      context,
      {
        change: newChange(context, "lead.erase", { leadId: id }),
        async find(db, lock) {
          const found = await findLineage(db, projectId, [id], lock, await countryOf(db, projectId));
          const asked = found.leads.find((lead) => lead.id === id);
          if (asked === undefined) throw notFound("lead");
          if (asked.merged_into_id === null) return found;
          const message = `The lead was merged into ${asked.merged_into_id}. Erase that lead; this one is erased with it.`;
          throw new Refusal("conflict", "merged", message);
        },
        history: { emails: [], phones: [] },
        suppress,
        async finish(tx, counts) {
          const actor = (await actorOf(tx, caller)).id;
          const data = { lead_id: id, merged: counts.leads - 1 };
          const who = actor === null ? {} : { actor };
          await record(service, tx, { action: "lead.erased", projectId, ...who, data });
        },
      },
      (work) => db.transaction(work),
    );
  },
});
