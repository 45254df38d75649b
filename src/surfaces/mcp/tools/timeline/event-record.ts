import { Type } from "typebox";
import { maybe, open, text } from "../shared/words.ts";

const Actor = Type.Object(
  {
    type: maybe(text("key, person, token (an application for a person) or cli.")),
    id: maybe(text("Its id.")),
    label: maybe(text("Its name; for an application, also the user's.")),
  },
  { description: "Who did it." },
);

/** An event in an answer. */
export const EventRecord = Type.Object(
  {
    id: text("The event's id, evt_…"),
    lead_id: maybe(text("The lead of the event, if it is not the requested one.")),
    type: text("noun.verb, such as email.opened; lead.* is from the service."),
    occurred_at: maybe(text("When it happened: ISO 8601 with offset.")),
    recorded_at: maybe(text("When it was recorded: ISO 8601 with offset.")),
    source: maybe(text("The system it came from.")),
    actor: maybe(Actor),
    title: maybe(text("What happened, in one line.")),
    data: maybe(open("Its details; a change has field, from and to.")),
    external_id: maybe(text("Its key in that system.")),
    omitted_fields: maybe(
      Type.Array(Type.String(), { description: "Fields omitted because the record is very large." }),
    ),
  },
  { description: "One thing that happened to a lead." },
);
