import { Type } from "typebox";
import { mergeLeads } from "../../../../domain/leads/merge/merge-leads.ts";
import { leadRecord } from "../shared/lead-record.ts";
import { leadNamed, leadRef, namesOfLeads } from "../shared/lead-ref.ts";
import { ANSWER_BYTES } from "../shared/size.ts";
import { dense } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, oneOf } from "../shared/words.ts";
import { worked } from "../shared/writing.ts";

const FRAME_BYTES = 2_000;

/** Merges two leads after the person agreed. */
export const mergeLeadsTool = composedTool({
  name: "merge_leads",
  title: "Merge two leads",
  description:
    "Merges a duplicate into the lead to keep, with its timeline; fills empty fields. The user is asked first.",
  input: exactly({
    keep: leadRef(),
    merge: leadRef("The duplicate."),
    prefer: Type.Optional(oneOf(["this", "other"], "Whose values win; this (the kept) by default.")),
  }),
  needs: "leads:write",
  alsoNeeds: "leads:read",
  view: VIEWS.change,
  destructive: true,
  path: (path) => path.replace("$.with", "$.merge").replace(/^\$\.id/, "$.keep"),
  async run(call, { keep, merge, prefer }) {
    const id = await leadNamed(call, keep, "$.keep");
    const other = await leadNamed(call, merge, "$.merge");
    const [into, from] = await namesOfLeads(call, [id, other]);
    return await worked(call, {
      operation: mergeLeads,
      input: { id, with: other, ...(prefer === undefined ? {} : { prefer }) },
      title: `Merge ${JSON.stringify(from)} into ${JSON.stringify(into)}?`,
      asks: true,
      toAnswer({ mergedId, changed, json }) {
        const { lead } = leadRecord(JSON.parse(json), ANSWER_BYTES - FRAME_BYTES);
        return {
          merged: mergedId,
          changed_fields: changed ?? [],
          lead: dense(lead),
          untrusted_content: ["lead"],
        };
      },
    });
  },
});
