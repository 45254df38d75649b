import { type TSchema, Type } from "typebox";
import { OUTCOMES } from "../../../../contract/lists/outcomes.ts";
import type { WrittenLead } from "../../../../domain/leads/write/write-outcome.ts";
import { LeadRecord, leadRecord } from "../shared/lead-record.ts";
import { ANSWER_BYTES } from "../shared/size.ts";
import { oneOf, Truncated, UntrustedContent } from "../shared/words.ts";

const FRAME_BYTES = 2_000;

/** Returns the schema of an answer with a lead as it is after the call. */
export const writtenSchema = (more: Record<string, TSchema> = {}) =>
  Type.Object({
    outcome: oneOf(OUTCOMES, "The outcome."),
    lead: LeadRecord,
    ...more,
    truncated: Truncated,
    untrusted_content: UntrustedContent,
  });

/** Returns the answer with a lead as it is after the call. */
export function writtenAnswer({ outcome, json }: WrittenLead): object {
  const { lead, cut } = leadRecord(JSON.parse(json), ANSWER_BYTES - FRAME_BYTES);
  return { outcome, lead, truncated: cut, untrusted_content: ["lead"] };
}
