import { Type } from "typebox";
import { DUPLICATE_REASONS, LIKENESSES } from "../../../../contract/lists/duplicates.ts";
import type { LeadFieldName } from "../../../../contract/lists/lead-fields.ts";
import { findDuplicateGroups } from "../../../../domain/leads/merge/find-duplicate-groups.ts";
import { findDuplicates } from "../../../../domain/leads/merge/find-duplicates.ts";
import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { type CursorList, nextCursorOf } from "../../../../domain/operation/page.ts";
import type { Call } from "../../protocol/registry.ts";
import { LeadRecord, leadRecord } from "../shared/lead-record.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { composedTool } from "../shared/tool.ts";
import {
  exactly,
  Hint,
  maybe,
  oneOf,
  present,
  Truncated,
  text,
  UntrustedContent,
  whole,
} from "../shared/words.ts";

const FRAME_BYTES = 1_000;
const LEAD_BYTES = 4_000;
const BRIEF: readonly LeadFieldName[] = [
  "name",
  "first_name",
  "last_name",
  "email",
  "phone_e164",
  "company",
  "status",
  "created_at",
];

const Reason = Type.Object({
  code: oneOf(DUPLICATE_REASONS, "What they have in common."),
  value: maybe(text("The value; absent for names, which may be spelled differently.")),
});

const Duplicate = Type.Object({
  lead: LeadRecord,
  score: Type.Number({ description: "How likely they are the same person, 0 to 1." }),
  reasons: Type.Array(Reason, { description: "The reasons, the most certain first." }),
});

const Group = Type.Object({
  count: whole("The number of leads in the group."),
  leads: Type.Array(LeadRecord, { description: "The five oldest." }),
});

/** Finds the duplicates of one lead, or groups of duplicates in the project. */
export const findDuplicatesTool = composedTool({
  name: "find_duplicates",
  title: "Find duplicates",
  description:
    "With id: leads that may be the same person as this one, by external id, e-mail, phone, or name and company, the " +
    "most likely first. Without: groups of leads that share what `by` names, the largest first. next_cursor leads to the next " +
    "page. Nothing is changed; people merge leads in the panel.",
  input: exactly({
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "A lead's id; default the whole project.",
      }),
    ),
    by: Type.Optional(oneOf(LIKENESSES, "Without id: what they share; default email.")),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 20,
        description: "Leads, or groups, in the answer.",
      }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 10_000, description: "next_cursor of the previous page." }),
    ),
  }),
  output: Type.Object({
    duplicates: maybe(Type.Array(Duplicate, { description: "With id: who may be the same person." })),
    groups: maybe(Type.Array(Group, { description: "Without id: the groups, the largest first." })),
    count: whole("How many are in this answer."),
    next_cursor: maybe(text("The cursor of the next page; absent on the last one.")),
    truncated: Truncated,
    hint: Hint,
    untrusted_content: UntrustedContent,
  }),
  needs: "leads:read",
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
    const found = await perform(call.service, findDuplicates, call.caller, { id, ...page });
    const items = found.items.map(({ json, score, reasons }) => ({
      lead: leadRecord(JSON.parse(json), LEAD_BYTES).lead,
      score,
      reasons: reasons.map(({ code, value }) => (value === null ? { code } : { code, value })),
    }));
    return told("duplicates", { ...found, items });
  },
});

async function groupsOf({ service, caller }: Call, asked: object): Promise<CursorList<object>> {
  const groups = await perform(service, findDuplicateGroups, caller, asked);
  const ids = groups.items.flatMap((group) => group.ids);
  if (ids.length === 0) return groups;
  const filter = { field: "id", op: "in", value: ids };
  const query = { filter, fields: BRIEF, limit: Math.min(ids.length, 500), total: "none" };
  const { json } = await perform(service, queryLeads, caller, query);
  const leads = JSON.parse(json) as { id: string }[];
  const byId = new Map(leads.map((lead) => [lead.id, leadRecord(lead, LEAD_BYTES).lead]));
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
