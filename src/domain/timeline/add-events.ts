import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { malformed, notFound, Refusal } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { newChange } from "../changes/change.ts";
import { type WritingSchema, writingSchema } from "../fields/writing-schema.ts";
import { type Identifier, identifiersOf } from "../leads/identity/identifiers.ts";
import { readHolders } from "../leads/identity/look-for.ts";
import { countedAs, resolve } from "../leads/identity/resolve.ts";
import { LeadId, missingLead } from "../leads/read/lead-id.ts";
import { readWith } from "../leads/write/read-lead.ts";
import { may } from "../operation/may-sql.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { e164Of } from "../values/read-phone.ts";
import { type NewEvent, readNewEvent } from "./read-new-event.ts";
import { type RecordedEvent, recordEvents } from "./record-events.ts";

/**
 * Records an event of a lead, once for each source and key, even if it is sent repeatedly or concurrently. For a caller that may only
 * create leads `json` is empty, whether there is such a lead or not.
 */
export const addEvent = memberOperation({
  name: "timeline.add",
  needs: "leads:write",
  orNeeds: "leads:create",
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
    if (recorded?.mayWrite === false) {
      // Nobody learns from the answer whether there is a change.
      change.made = false;
      return { created: false, json: "" };
    }
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

/** An event as it was read, with what identifies its lead. */
interface Read {
  place: number;
  event: NewEvent;
  by: Identifier;
}

/**
 * Records up to 500 events of any leads; an invalid event does not affect the others. A caller that may only create leads gets no results:
 * only that an event is invalid in itself is reported to it.
 */
export const addEvents = memberOperation({
  name: "timeline.add_many",
  needs: "leads:write",
  orNeeds: "leads:create",
  input: Type.Object(
    {
      events: Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: 500,
        description:
          'EventInputs, each with lead_id or lead: {"external_id"}, {"email"} or {"phone"}. One result per event, in the same order.',
      }),
    },
    { additionalProperties: false },
  ),
  async run(context, { events }): Promise<AddedEvent[]> {
    const { db, caller } = context;
    const refusals = new Map<number, Refusal>();
    const good: Read[] = [];
    const schema = await writingSchema(context, caller.projectId, [...events, ...phonesOf(events)]);
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
    const recorded = new Map<number, RecordedEvent>();
    const unclear = new Map<number, readonly string[]>();
    let waiting: readonly Read[] = good;
    // A lead that is merged between the two statements is found again as its survivor.
    for (let attempt = 1; waiting.length > 0 && attempt <= 2; attempt += 1) {
      const leads = await leadsOf(db, caller.projectId, waiting, schema.country);
      for (const [place, ids] of leads) if (ids.length > 1) unclear.set(place, ids);
      const known = waiting.flatMap(({ place, event }) => {
        const [id, ...more] = leads.get(place) ?? [];
        return id === undefined || more.length > 0 ? [] : [{ place, event, lead_id: id }];
      });
      for (const each of await recordEvents(db, change, caller, known)) recorded.set(each.place, each);
      waiting = waiting.filter(
        ({ place, by }) => by.kind !== "id" && recorded.get(place)?.outcome === "missing",
      );
    }
    const [first] = recorded.values();
    if (!(first === undefined ? await may(db, caller, "leads:write") : first.mayWrite)) {
      change.made = false;
      const [invalid] = refusals.values();
      if (invalid !== undefined) throw invalid;
      return [];
    }
    const isTold = unclear.size > 0 && (await may(db, caller, "leads:read"));
    return events.map((_, index) => {
      const ids = unclear.get(index);
      const refusal = refusals.get(index) ?? (ids && ambiguous(ids, isTold));
      return resultOf(index, recorded.get(index), refusal);
    });
  },
});

/** The leads that each event may be of, by its place. */
async function leadsOf(
  db: ProjectDb,
  projectId: string,
  events: readonly Read[],
  country: string | null,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const named = events.filter(({ by }) => by.kind !== "id").map(({ by }) => by);
  const holders = named.length === 0 ? undefined : await readHolders(db, projectId, named, country);
  return new Map(
    events.map(({ place, by }): [number, readonly string[]] => {
      if (by.kind === "id" || holders === undefined) return [place, [by.value]];
      const found = resolve([by], holders);
      if ("conflict" in found) return [place, found.among.map(({ id }) => id)];
      return [place, found.lead === undefined ? [] : [found.lead.id]];
    }),
  );
}

/** The leads that events name by their phone, which is read by the project's country. */
const phonesOf = (events: readonly unknown[]): unknown[] =>
  events
    .map((event) => (event as { lead?: unknown } | null)?.lead)
    .filter((lead) => typeof lead === "object" && lead !== null && "phone" in lead);

function readItem(item: unknown, schema: WritingSchema, path: string): Omit<Read, "place"> {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    throw malformed([{ path, code: "type", message: "must be a JSON object" }]);
  const { lead_id: id, lead, ...event } = item as { lead_id?: unknown; lead?: unknown };
  return { by: leadRefOf(id, lead, schema, path), event: readNewEvent(event, schema, path) };
}

function leadRefOf(id: unknown, lead: unknown, { country }: WritingSchema, path: string): Identifier {
  if (lead === undefined && isText(id)) return identifiersOf({}, country, id)[0] as Identifier;
  if (id === undefined && typeof lead === "object" && lead !== null && Object.keys(lead).length === 1) {
    const { external_id: external, email, phone } = lead as Record<string, unknown>;
    const given = {
      ...(isText(external) ? { external_id: external.trim() } : {}),
      ...(isText(email) ? { email: email.trim() } : {}),
      ...(isText(phone) ? { phone_e164: e164Of(phone, country) } : {}),
    };
    const [by] = identifiersOf(given, country);
    if (by !== undefined) return by;
    if (isText(phone)) {
      const message = "is not a phone number; write it with its country code, such as +55 11 91234-5678";
      throw malformed([{ path: `${path}.lead.phone`, code: "not_a_phone", message }]);
    }
  }
  const message = 'must have lead_id, or lead with one of {"external_id"}, {"email"} or {"phone"}';
  throw malformed([{ path, code: "which_lead", message }]);
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 500 && !value.includes("\0") && value.isWellFormed();

function resultOf(
  index: number,
  recorded: RecordedEvent | undefined,
  refusal: Refusal | undefined,
): AddedEvent {
  if (refusal !== undefined || recorded === undefined || recorded.outcome === "missing")
    return { index, id: null, lead_id: null, outcome: "failed", refusal: refusal ?? notFound("lead") };
  const { id, lead_id, outcome } = recorded;
  return { index, id, lead_id, outcome, refusal: null };
}

function ambiguous(ids: readonly string[], isTold: boolean): Refusal {
  if (!isTold)
    return new Refusal("conflict", "ambiguous", "Several leads match. Name one of them by lead_id.");
  const message = `${countedAs(ids.length)} leads match: ${ids.join(", ")}. Name one of them by lead_id.`;
  const faults = ids.map((id) => ({ path: "lead", code: "candidate", message: id }));
  return new Refusal("conflict", "ambiguous", message, { faults });
}
