import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { LeadId } from "../leads/read/lead-id.ts";
import { missingLead } from "../leads/read/missing-lead.ts";
import { readWith } from "../leads/write/read-with.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { readNewEvent } from "./read-new-event.ts";
import { recordEvents } from "./record-events.ts";

/**
 * Records what happened to a lead, once for each source and key, however often and at once it is sent. One round trip,
 * one more where it happened on a day without a clock.
 */
export const addEvent = memberOperation({
  name: "timeline.add",
  needs: "leads:write",
  input: Type.Object(
    { id: LeadId, event: Type.Unknown({ description: "What happened, an EventInput." }) },
    { additionalProperties: false },
  ),
  async run(context, { id, event: given }): Promise<{ created: boolean; json: string }> {
    const { db, caller } = context;
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    const event = await readWith(context, [given], (facts) => readNewEvent(given, facts));
    const [recorded] = await recordEvents(db, caller, [{ place: 0, lead_id: id, event }]);
    if (recorded === undefined || recorded.json === null) throw await missingLead(db, caller.projectId, id);
    return { created: recorded.outcome === "created", json: recorded.json };
  },
});
