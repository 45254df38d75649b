import { Type } from "typebox";
import { getLead } from "../../../domain/leads/get-lead.ts";
import { LeadRecord, leadRecord } from "./lead-record.ts";
import { ANSWER_BYTES } from "./size.ts";
import { tool } from "./tool.ts";
import { exactly, LeadId, Truncated, UntrustedContent } from "./words.ts";

/** Room for what stands around the lead. */
const FRAME_BYTES = 2_000;

/** One round trip, one more for the rows of datasets. */
export const getLeadTool = tool({
  name: "get_lead",
  title: "Read a lead",
  description:
    "Reads one lead of the project with all its fields, by the id that query_leads answers. Its version is what " +
    "update_lead and delete_lead take as expected_version.",
  input: exactly({
    id: LeadId,
    include_datasets: Type.Optional(
      Type.Boolean({
        description: "Whether the newest rows of the project's datasets that mean this lead come along.",
      }),
    ),
  }),
  output: Type.Object({
    lead: LeadRecord,
    truncated: Truncated,
    untrusted_content: UntrustedContent,
  }),
  operation: getLead,
  idempotent: true,
  toInput: ({ id, include_datasets: all = false }) => ({ id, ...(all ? { include: ["datasets"] } : {}) }),
  toAnswer(json) {
    const { lead, cut } = leadRecord(JSON.parse(json), ANSWER_BYTES - FRAME_BYTES);
    return { lead, truncated: cut, untrusted_content: ["lead"] };
  },
});
