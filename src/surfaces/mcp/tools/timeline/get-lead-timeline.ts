import { Type } from "typebox";
import { readTimeline } from "../../../../domain/timeline/read-timeline.ts";
import { pageAnswer, pageSchema } from "../shared/page-answer.ts";
import { tool } from "../shared/tool.ts";
import { exactly, LeadId, limitOf, Offset, oneOf } from "../shared/words.ts";
import { EventRecord } from "./event-record.ts";

const Moment = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));

/** One round trip. */
export const getLeadTimelineTool = tool({
  name: "get_lead_timeline",
  title: "Read a lead's timeline",
  description:
    "Reads what happened to a lead, newest first: messages, calls, visits, and every change of its fields with who made " +
    "it. Answers a page; next_offset leads to the next one.",
  input: exactly({
    id: LeadId,
    types: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        description: "Only these types, such as email.opened, or email.* for all of a kind.",
      }),
    ),
    from: Moment("From this moment on: a time with its offset, or a day in the project's zone."),
    to: Moment("Until before this moment, written alike."),
    order: Type.Optional(oneOf(["desc", "asc"], "Newest first (desc) unless asc is asked for.")),
    limit: limitOf(25, 200, "Events"),
    offset: Offset,
  }),
  output: pageSchema("events", EventRecord),
  operation: readTimeline,
  idempotent: true,
  toInput: ({ limit = 25, ...rest }) => ({ ...rest, limit }),
  toAnswer: (page, { offset = 0 }) =>
    pageAnswer("events", JSON.parse(page.json) as unknown[], page, offset, {
      left: "types, from and to narrow it.",
      cut: "The details of large events were cut.",
    }),
});
