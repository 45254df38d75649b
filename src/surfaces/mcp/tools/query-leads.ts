import { Type } from "typebox";
import { queryLeads } from "../../../domain/leads/query-leads.ts";
import { AssistantFilter, toFilter } from "./filter.ts";
import { LeadAnswer, leadAnswer } from "./lead-answer.ts";
import { tool } from "./tool.ts";
import { exactly, oneOf } from "./words.ts";

const Order = exactly({
  field: Type.String({ minLength: 1, maxLength: 100 }),
  dir: Type.Optional(oneOf(["asc", "desc"], "asc by default")),
});

export const queryLeadsTool = tool({
  name: "query_leads",
  title: "Find leads",
  description:
    "Finds leads of the project by conditions, words and order, newest first unless sort says otherwise. Answers a " +
    "page; next_offset leads to the next one. total counts all matches, up to 10,000 unless exact is asked for.",
  input: exactly({
    filter: Type.Optional(AssistantFilter),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Words in name, e-mail, phone or company." }),
    ),
    sort: Type.Optional(Type.Array(Order, { maxItems: 3 })),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 60,
        description:
          "Only these fields of each lead; all when left out. Fewer fields let more leads fit an answer.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 25, description: "Leads in this page." }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 0,
        description: "Matches to skip: next_offset of the page before.",
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "IANA zone in which dates are meant; the project's when left out.",
      }),
    ),
    total: Type.Optional(
      oneOf(["bounded", "exact", "none"], "How far to count all matches; bounded by default."),
    ),
  }),
  output: LeadAnswer,
  operation: queryLeads,
  toInput: ({ filter, limit = 25, offset = 0, ...rest }) => ({
    ...rest,
    limit,
    offset,
    ...(filter === undefined ? {} : { filter: toFilter(filter) }),
  }),
  toAnswer: (page, { offset = 0 }) => leadAnswer(page, offset),
});
