import { Type } from "typebox";
import { readTimeline } from "../../../../domain/timeline/read-timeline.ts";
import { pageAnswer, pageSchema } from "../shared/page-answer.ts";
import { tool } from "../shared/tool.ts";
import { exactly, LeadId, limitOf, Offset, oneOf } from "../shared/words.ts";
import { EventRecord } from "../timeline/event-record.ts";

const Moment = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));

export const getLeadTimelineTool = tool({
  name: "get_lead_timeline",
  title: "Read a lead's timeline",
  description:
    "Reads what happened to a lead, newest first: messages, calls, visits, and every field change with who made " +
    "it. Returns a page; next_offset leads to the next one.",
  input: exactly({
    id: LeadId,
    types: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        description: "Only these types, such as email.opened, or email.* for all email events.",
      }),
    ),
    from: Moment("From this time on: a timestamp with offset, or a date in the project's zone."),
    to: Moment("Until before this time, same format."),
    order: Type.Optional(oneOf(["desc", "asc"], "Default desc: newest first.")),
    limit: limitOf(25, 200, "Events"),
    offset: Offset,
  }),
  output: pageSchema("events", EventRecord),
  operation: readTimeline,
  idempotent: true,
  toInput: ({ limit = 25, ...rest }) => ({ ...rest, limit }),
  toAnswer: (page, { offset = 0 }) =>
    pageAnswer("events", JSON.parse(page.json) as unknown[], page, offset, {
      left: "Narrow it with types, from and to.",
      cut: "The details of large events were cut.",
    }),
});
