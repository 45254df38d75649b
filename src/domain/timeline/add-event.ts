import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import { LeadId } from "../leads/lead-id.ts";
import { missingLead } from "../leads/missing-lead.ts";
import { memberOperation, refuse } from "../operation.ts";
import { type NewEvent, readNewEvent } from "./read-new-event.ts";
import { recordEvents } from "./record-events.ts";

/** Records what happened to a lead, once for each source and key, however often and at once it is sent. One round trip. */
export const addEvent = memberOperation({
  name: "timeline.add",
  needs: "leads:write",
  input: Type.Object(
    { id: LeadId, event: Type.Unknown({ description: "What happened, an EventInput." }) },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { id, event: given }): Promise<{ created: boolean; json: string }> {
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    let event: NewEvent;
    try {
      event = readNewEvent(given);
    } catch (error) {
      if (error instanceof Refusal) return await refuse(db, error);
      throw error;
    }
    const [recorded] = await recordEvents(db, caller, [{ place: 0, lead_id: id, event }]);
    if (recorded === undefined || recorded.json === null) throw await missingLead(db, caller.projectId, id);
    return { created: recorded.outcome === "created", json: recorded.json };
  },
});
