import { Type } from "typebox";
import { getLead } from "../../../../domain/leads/read/get-lead.ts";
import { LeadRecord, leadRecord } from "../shared/lead-record.ts";
import { outside } from "../shared/outside-text.ts";
import { ANSWER_BYTES, bytesOf } from "../shared/size.ts";
import { tool } from "../shared/tool.ts";
import { exactly, Hint, LeadId, Truncated, UntrustedContent } from "../shared/words.ts";
import { fitRows, type RowsOfLead } from "./fit-rows.ts";

/** Room for what surrounds the lead. */
const FRAME_BYTES = 2_000;

export const getLeadTool = tool({
  name: "get_lead",
  title: "Read a lead",
  description:
    "Reads one lead of the project with all its fields, by the id that query_leads returns. Its version is what " +
    "update_lead and delete_lead need as expected_version.",
  input: exactly({
    id: LeadId,
    include_datasets: Type.Optional(
      Type.Boolean({
        description: "Whether to include the newest dataset rows that are linked to this lead.",
      }),
    ),
  }),
  output: Type.Object({
    lead: LeadRecord,
    truncated: Truncated,
    hint: Hint,
    untrusted_content: UntrustedContent,
  }),
  operation: getLead,
  idempotent: true,
  toInput: ({ id, include_datasets: all = false }) => ({ id, ...(all ? { include: ["datasets"] } : {}) }),
  toAnswer(json) {
    const { datasets, ...alone } = outside(JSON.parse(json)) as GivenLead;
    const room = ANSWER_BYTES - FRAME_BYTES;
    const { lead, cut } = leadRecord(alone, room);
    if (datasets === undefined) return { lead, truncated: cut, untrusted_content: ["lead"] };
    const rows = fitRows(datasets, room - bytesOf(lead));
    const more = rows.cut || Object.values(datasets).some(({ has_more: there }) => there);
    return {
      lead: { ...lead, datasets: rows.datasets },
      truncated: cut || rows.cut,
      ...(more ? { hint: furtherRows(alone.id) } : {}),
      untrusted_content: ["lead"],
    };
  },
});

interface GivenLead extends Record<string, unknown> {
  id: string;
  datasets?: Record<string, RowsOfLead>;
}

const furtherRows = (id: string): string =>
  "If a dataset's has_more is true, read_dataset returns more rows with the filter " +
  `${JSON.stringify({ any: [{ all: [{ field: "_lead_id", op: "eq", value: id }] }] })}.`;
