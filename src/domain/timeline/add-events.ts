import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { malformed, notFound, Refusal } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { type WritingSchema, writingSchema } from "../fields/writing-schema.ts";
import { LeadId, missingLead } from "../leads/read/lead-id.ts";
import { readWith } from "../leads/write/read-lead.ts";
import { may } from "../operation/may-sql.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { type NewEvent, readNewEvent } from "./read-new-event.ts";
import { type LeadRef, type RecordedEvent, recordEvents } from "./record-events.ts";

/** Records an event of a lead, once for each source and key, even if it is sent repeatedly or concurrently. */
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
    const event = await readWith(context, [given], (schema) => readNewEvent(given, schema));
    const change = newChange(context, "event.add", { leadId: id });
    const [recorded] = await recordEvents(db, change, caller, [{ place: 0, lead_id: id, event }]);
    if (recorded === undefined || recorded.json === null) throw await missingLead(db, caller.projectId, id);
    return { created: recorded.outcome === "created", json: recorded.json };
  },
});

/** The result for one event of a batch. */
export interface AddedEvent {
  index: number;
  id: string | null;
  lead_id: string | null;
  outcome: "created" | "unchanged" | "failed";
  refusal: Refusal | null;
}

type Read = LeadRef & { place: number; event: NewEvent };

/** Records up to 500 events of any leads; an invalid event does not affect the others. */
export const addEvents = memberOperation({
  name: "timeline.add_many",
  needs: "leads:write",
  input: Type.Object(
    {
      events: Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: 500,
        description:
          'EventInputs, each with lead_id or lead: {"external_id"} or {"email"}. One result per event, in the same order.',
      }),
    },
    { additionalProperties: false },
  ),
  async run(context, { events }): Promise<AddedEvent[]> {
    const { db, caller } = context;
    const refusals = new Map<number, Refusal>();
    const good: Read[] = [];
    const schema = await writingSchema(context, caller.projectId, events);
    events.forEach((item, place) => {
      try {
        good.push({ place, ...readItem(item, schema, `$.events[${place}]`) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusals.set(place, error);
      }
    });
    if (good.length === 0) await db.open();
    const change = newChange(context, "event.add");
    const recorded = new Map(
      (await recordEvents(db, change, caller, good)).map((each) => [each.place, each]),
    );
    const isAmbiguous = [...recorded.values()].some(({ outcome }) => outcome === "ambiguous");
    const isTold = isAmbiguous && (await may(db, caller, "leads:read"));
    return events.map((_, index) => resultOf(index, recorded.get(index), refusals.get(index), isTold));
  },
});

function readItem(item: unknown, schema: WritingSchema, path: string): Omit<Read, "place"> {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    throw malformed([{ path, code: "type", message: "must be a JSON object" }]);
  const { lead_id: id, lead, ...event } = item as { lead_id?: unknown; lead?: unknown };
  return { ...leadRefOf(id, lead, path), event: readNewEvent(event, schema, path) };
}

function leadRefOf(id: unknown, lead: unknown, path: string): LeadRef {
  if (lead === undefined && isText(id)) return { lead_id: id };
  if (id === undefined && typeof lead === "object" && lead !== null && Object.keys(lead).length === 1) {
    const { external_id: external, email } = lead as Record<string, unknown>;
    if (isText(external)) return { lead_external_id: external.trim() };
    if (isText(email)) return { lead_email: email.trim() };
  }
  const message = 'must have lead_id, or lead with either {"external_id"} or {"email"}';
  throw malformed([{ path, code: "which_lead", message }]);
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 500 && !value.includes("\0") && value.isWellFormed();

function resultOf(
  index: number,
  recorded: RecordedEvent | undefined,
  known: Refusal | undefined,
  isTold: boolean,
): AddedEvent {
  const refusal = known ?? refusalOf(recorded, isTold);
  if (refusal !== undefined || recorded === undefined)
    return { index, id: null, lead_id: null, outcome: "failed", refusal: refusal ?? notFound("lead") };
  const outcome = recorded.outcome === "created" ? "created" : "unchanged";
  return { index, id: recorded.id, lead_id: recorded.ids[0] ?? null, outcome, refusal: null };
}

function refusalOf(recorded: RecordedEvent | undefined, isTold: boolean): Refusal | undefined {
  if (recorded?.outcome === "created" || recorded?.outcome === "unchanged") return undefined;
  if (recorded?.outcome !== "ambiguous") return notFound("lead");
  if (!isTold)
    return new Refusal("conflict", "ambiguous", "Several leads match. Name one of them by lead_id.");
  const message = `${recorded.ids.length} leads match: ${recorded.ids.join(", ")}. Name one of them by lead_id.`;
  const faults = recorded.ids.map((id) => ({ path: "lead", code: "candidate", message: id }));
  return new Refusal("conflict", "ambiguous", message, { faults });
}
