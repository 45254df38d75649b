import type { OffsetPage } from "../../../../domain/operation/page.ts";
import { LeadRecord } from "../shared/lead-record.ts";
import { pageAnswer, pageSchema } from "../shared/page-answer.ts";

export const LeadAnswer = pageSchema("leads", LeadRecord);

/** A page of leads as an answer of about 60 KB at most. */
export function leadAnswer(page: OffsetPage, offset: number): object {
  return pageAnswer("leads", JSON.parse(page.json) as unknown[], page, offset, {
    left: "Naming the fields that are needed, or a narrower filter, lets more fit.",
    cut: "Long texts were cut. get_lead reads one lead whole, up to 60 KB.",
  });
}
