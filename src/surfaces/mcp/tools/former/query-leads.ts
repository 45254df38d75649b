import { Type } from "typebox";
import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import type { OffsetPage } from "../../../../domain/operation/page.ts";
import { Meant, toSelection } from "../leads/selection.ts";
import { AssistantFilter } from "../shared/filter.ts";
import { LeadRecord } from "../shared/lead-record.ts";
import { pageAnswer, pageSchema } from "../shared/page-answer.ts";
import { tool } from "../shared/tool.ts";
import { exactly, limitOf, Offset, oneOf, present } from "../shared/words.ts";

const LeadAnswer = pageSchema("leads", LeadRecord);

/** Returns a page of leads as an answer of about 60 KB at most. */
function leadAnswer(page: OffsetPage, offset: number): object {
  return pageAnswer("leads", JSON.parse(page.json) as unknown[], page, offset, {
    left: "To fit more, name only the fields you need, or narrow the filter.",
    cut: "Long texts were cut. get_lead reads one whole lead, up to 60 KB.",
  });
}

const Order = exactly({
  field: Type.String({ minLength: 1, maxLength: 100, description: "A field." }),
  dir: Type.Optional(oneOf(["asc", "desc"], "default asc")),
});

export const queryLeadsTool = tool({
  name: "query_leads",
  title: "Find leads",
  description:
    "Finds leads of the project by conditions, words and order, newest first unless sort is given. Returns a " +
    "page; next_offset leads to the next one. total counts all matches, up to 10,000 unless it is exact.",
  input: exactly({
    filter: Type.Optional(AssistantFilter),
    ...Meant,
    sort: Type.Optional(
      Type.Array(Order, { maxItems: 3, description: "What to sort by, the first field first." }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 60,
        description: "Only these fields of each lead; default all. With fewer, more leads fit an answer.",
      }),
    ),
    limit: limitOf(25, 100, "Leads"),
    offset: Offset,
    total: Type.Optional(oneOf(["bounded", "exact", "none"], "How far to count matches; default bounded.")),
  }),
  output: LeadAnswer,
  operation: queryLeads,
  idempotent: true,
  toInput: ({ limit = 25, offset = 0, sort, fields, total, ...selection }) => ({
    ...toSelection(selection),
    ...present({ sort, fields, total }),
    limit,
    offset,
  }),
  toAnswer: (page, { offset = 0 }) => leadAnswer(page, offset),
});
