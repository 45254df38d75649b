import { Type } from "typebox";
import type { LeadPage } from "../../../domain/leads/query-leads.ts";
import { LeadRecord, leadRecord } from "./lead-record.ts";
import { ANSWER_BYTES, fitList, RECORD_BYTES } from "./size.ts";
import { oneOf, UntrustedContent } from "./words.ts";

/** Room for what stands around the leads. */
const FRAME_BYTES = 1_000;

export const LeadAnswer = Type.Object({
  leads: Type.Array(LeadRecord),
  count: Type.Integer({ description: "Leads in this answer." }),
  has_more: Type.Boolean(),
  next_offset: Type.Optional(
    Type.Integer({ description: "The offset of the next page; absent on the last one." }),
  ),
  total: Type.Optional(Type.Integer({ description: "All matches." })),
  total_relation: Type.Optional(oneOf(["eq", "gte"], "gte: there are at least as many as total.")),
  truncated: Type.Boolean({
    description: "Whether leads or long texts were left out to keep the answer small.",
  }),
  hint: Type.Optional(Type.String({ description: "How to get what was left out." })),
  untrusted_content: UntrustedContent,
});

/** A page of leads as an answer of about 60 KB at most. */
export function leadAnswer(page: LeadPage, offset: number): object {
  const all = (JSON.parse(page.json) as unknown[]).map((lead) => leadRecord(lead, RECORD_BYTES));
  const shown = fitList(all, ANSWER_BYTES - FRAME_BYTES);
  const left = all.length - shown.length;
  const hasMore = page.hasMore || left > 0;
  const truncated = left > 0 || shown.some(({ cut }) => cut);
  return {
    leads: shown.map(({ lead }) => lead),
    count: shown.length,
    has_more: hasMore,
    ...(hasMore ? { next_offset: offset + shown.length } : {}),
    ...totalOf(page),
    truncated,
    ...(truncated ? { hint: hintOf(left) } : {}),
    untrusted_content: ["leads"],
  };
}

function totalOf({ total, totalRelation }: LeadPage): object {
  return typeof total === "number" ? { total, total_relation: totalRelation } : {};
}

function hintOf(left: number): string {
  return left > 0
    ? `${left} leads of this page did not fit. Go on at next_offset, name the fields you need, or narrow the filter.`
    : "Long texts were cut. get_lead reads one lead whole, up to 60 KB.";
}
