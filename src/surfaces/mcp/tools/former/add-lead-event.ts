import { Type } from "typebox";
import { addEvent } from "../../../../domain/timeline/add-events.ts";
import { leadRecord } from "../shared/lead-record.ts";
import { ANSWER_BYTES } from "../shared/size.ts";
import { tool } from "../shared/tool.ts";
import { exactly, LeadId, open, present, Truncated, UntrustedContent } from "../shared/words.ts";
import { EventRecord } from "../timeline/event-record.ts";

const FRAME_BYTES = 2_000;

export const addLeadEventTool = tool({
  name: "add_lead_event",
  title: "Add to a lead's timeline",
  description:
    "Records an event on a lead's timeline: a note, a call, a meeting. It is marked as recorded by this assistant, " +
    "with the user's name. With external_id the same event is recorded once, however often it is sent.",
  input: exactly({
    id: LeadId,
    type: Type.String({
      minLength: 3,
      maxLength: 81,
      description:
        "noun.verb in lowercase, such as note.added, call.made or meeting.held; lead.* is reserved.",
    }),
    title: Type.Optional(
      Type.String({
        maxLength: 500,
        description: "What happened, in one line; by default made from type and data.",
      }),
    ),
    occurred_at: Type.Optional(
      Type.String({ maxLength: 40, description: "When: ISO 8601 with an offset; defaults to now." }),
    ),
    data: Type.Optional(
      open('Details, such as {"text": "…"} of a note or {"outcome": "…"} of a call; 16 KB at most.'),
    ),
    external_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "Your own key for this event." }),
    ),
  }),
  output: Type.Object({
    created: Type.Boolean({ description: "Whether it was recorded now; false if it already was." }),
    event: EventRecord,
    truncated: Truncated,
    untrusted_content: UntrustedContent,
  }),
  operation: addEvent,
  destructive: false,
  idempotent: false,
  toInput: ({ id, ...event }) => ({ id, event: present(event) }),
  toAnswer({ created, json }) {
    const { lead: event, cut } = leadRecord(JSON.parse(json), ANSWER_BYTES - FRAME_BYTES);
    return { created, event, truncated: cut, untrusted_content: ["event"] };
  },
});
