import { Type } from "typebox";
import { LIKENESSES } from "../../../../contract/lists/duplicates.ts";
import type { LeadFieldName } from "../../../../contract/lists/lead-fields.ts";
import { findDuplicateGroups } from "../../../../domain/leads/merge/find-duplicate-groups.ts";
import { findDuplicates } from "../../../../domain/leads/merge/find-duplicates.ts";
import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { type CursorList, nextCursorOf } from "../../../../domain/operation/page.ts";
import type { Call } from "../../protocol/registry.ts";
import { leadRecord } from "../shared/lead-record.ts";
import { leadNamed, leadRef } from "../shared/lead-ref.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { dense, shortened } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, oneOf, present } from "../shared/words.ts";

const FRAME_BYTES = 1_000;
const LEAD_BYTES = 4_000;
const BRIEF: readonly LeadFieldName[] = [
  "id",
  "display_name",
  "email",
  "phone_e164",
  "company",
  "status",
  "created_at",
];

/** Finds the duplicates of one lead, or groups of duplicates in the project. */
export const findDuplicatesTool = composedTool({
  name: "find_duplicates",
  title: "Find duplicates",
  description:
    "With id: leads that may be the same person, the likeliest first, and why. Without: groups that share an " +
    "e-mail, phone, or name and company, the largest first.",
  input: exactly({
    id: Type.Optional(leadRef()),
    by: Type.Optional(oneOf(LIKENESSES, "Default email.")),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 20,
      }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 10_000, description: "From next_cursor." })),
  }),
  needs: "leads:read",
  view: VIEWS.results,
  idempotent: true,
  check: ({ id, by }) =>
    id !== undefined && by !== undefined
      ? [
          {
            path: "$.by",
            code: "unexpected",
            message: "is allowed only without id; with id, all kinds of matches are searched",
          },
        ]
      : [],
  async run(call, { id, by = "email", limit = 20, cursor }) {
    const page = { limit, ...present({ cursor }) };
    if (id === undefined) return told("groups", await groupsOf(call, { by, ...page }));
    const lead = await leadNamed(call, id, "$.id");
    const found = await perform(call.service, findDuplicates, call.caller, { id: lead, ...page });
    const items = found.items.map(({ json, score, reasons }) => ({
      lead: briefLead(JSON.parse(json)),
      score,
      reasons: reasons.map(({ code, value }) => (value === null ? { code } : { code, value })),
    }));
    return told("duplicates", { ...found, items });
  },
});

/** The fields by which people tell leads apart. */
const briefLead = (lead: object): object => {
  const shown = Object.entries(leadRecord(lead, LEAD_BYTES).lead).filter(([name]) =>
    BRIEF.some((each) => each === name),
  );
  return dense(
    Object.fromEntries(
      shown.map(([name, value]) => [name, typeof value === "string" ? shortened(value) : value]),
    ),
  );
};

async function groupsOf({ service, caller }: Call, asked: object): Promise<CursorList<object>> {
  const groups = await perform(service, findDuplicateGroups, caller, asked);
  const ids = groups.items.flatMap((group) => group.ids);
  if (ids.length === 0) return groups;
  const filter = { field: "id", op: "in", value: ids };
  const query = { filter, fields: BRIEF, limit: Math.min(ids.length, 500), total: "none" };
  const { json } = await perform(service, queryLeads, caller, query);
  const leads = JSON.parse(json) as { id: string }[];
  const byId = new Map(leads.map((lead) => [lead.id, briefLead(lead)]));
  const items = groups.items.map((group) => ({
    count: group.count,
    leads: group.ids.flatMap((one) => byId.get(one) ?? []),
  }));
  return { ...groups, items };
}

function told(name: "duplicates" | "groups", list: CursorList<object>): object {
  const shown = fitList(list.items, ANSWER_BYTES - FRAME_BYTES);
  const truncated = shown.length < list.items.length;
  const next = nextCursorOf(list, shown.length);
  return {
    [name]: shown,
    count: shown.length,
    ...(next === null ? {} : { next_cursor: next }),
    truncated,
    ...(truncated ? { hint: "Not all of this page fit. Continue with next_cursor." } : {}),
    untrusted_content: [name],
  };
}
