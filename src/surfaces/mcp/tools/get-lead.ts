import { Type } from "typebox";
import { getLead } from "../../../domain/leads/get-lead.ts";
import { LeadRecord, leadRecord } from "./lead-record.ts";
import { ANSWER_BYTES } from "./size.ts";
import { tool } from "./tool.ts";
import { exactly, UntrustedContent } from "./words.ts";

export const getLeadTool = tool({
  name: "get_lead",
  title: "Read a lead",
  description: "Reads one lead of the project with all its fields, by the id that query_leads answers.",
  input: exactly({
    id: Type.String({ minLength: 1, maxLength: 100, description: "The lead's id, such as lead_01k3…" }),
  }),
  output: Type.Object({
    lead: LeadRecord,
    truncated: Type.Boolean({ description: "Whether long texts were cut or large fields left out." }),
    untrusted_content: UntrustedContent,
  }),
  operation: getLead,
  toInput: ({ id }) => ({ id }),
  toAnswer(json) {
    const { lead, cut } = leadRecord(JSON.parse(json), ANSWER_BYTES);
    return { lead, truncated: cut, untrusted_content: ["lead"] };
  },
});
