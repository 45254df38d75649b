import { Type } from "typebox";
import { malformed, type Refusal, Refusal as Refused } from "../../../../core/refusal.ts";
import { addEvents } from "../../../../domain/timeline/add-events.ts";
import { unlisted } from "../../protocol/shown-schema.ts";
import { itemsAnswer } from "../shared/items-answer.ts";
import { leadRef, leadsNamed } from "../shared/lead-ref.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, open } from "../shared/words.ts";
import { worked } from "../shared/writing.ts";

const Event = exactly({
  lead: leadRef(),
  type: Type.String({
    minLength: 3,
    maxLength: 81,
    description: "note.added, call.made (by us), call.received, call.missed, meeting.held etc.",
  }),
  text: Type.Optional(Type.String({ maxLength: 10_000, description: "The note, or what came of it." })),
  title: Type.Optional(unlisted(Type.String({ maxLength: 500 }))),
  occurred_at: Type.Optional(Type.String({ maxLength: 40, description: "Default now." })),
  data: Type.Optional(unlisted(open("Further details."))),
  external_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: "Own key, to record it once." }),
  ),
});

/** Records events of up to 200 leads: one that is invalid does not affect the others. All of them are one change. */
export const logEventsTool = composedTool({
  name: "log_events",
  title: "Add to timelines",
  description:
    "Records up to 200 notes, calls, meetings and other events on timelines, each with its own outcome.",
  input: exactly({ events: Type.Array(Event, { minItems: 1, maxItems: 200 }) }),
  needs: "leads:write",
  alsoNeeds: "leads:read",
  view: VIEWS.change,
  destructive: false,
  idempotent: false,
  async run(call, { events }) {
    const ids = await leadsNamed(
      call,
      events.map(({ lead }) => lead),
      (i) => `$.events[${i}].lead`,
    );
    const failed: { index: number; refusal: Refusal }[] = [];
    const known = events.flatMap(({ lead: _, text, data, ...event }, index) => {
      const id = ids[index];
      if (id instanceof Refused || id === undefined) {
        if (id !== undefined) failed.push({ index, refusal: id });
        return [];
      }
      const details = text === undefined ? data : { ...data, text };
      return [
        { index, event: { ...event, lead_id: id, ...(details === undefined ? {} : { data: details }) } },
      ];
    });
    if (known.length === 0) throw failed[0]?.refusal ?? malformed([]);
    return await worked(call, {
      operation: addEvents,
      input: { events: known.map(({ event }) => event) },
      title: `Add ${events.length === 1 ? "an event" : `${events.length} events`} to timelines`,
      shows: true,
      toAnswer: (results) =>
        itemsAnswer(
          results.map((result, i) => ({ ...result, id: result.lead_id, index: known[i]?.index ?? i })),
          failed,
          { created: "recorded" },
        ),
    });
  },
});
