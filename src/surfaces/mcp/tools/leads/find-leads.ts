import { Type } from "typebox";
import { explainFilter } from "../../../../domain/leads/read/explain-filter.ts";
import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import type { OffsetPage } from "../../../../domain/operation/page.ts";
import type { Call } from "../../protocol/registry.ts";
import { AssistantFilter } from "../shared/filter.ts";
import { nameOf } from "../shared/lead-link.ts";
import { leadRecord } from "../shared/lead-record.ts";
import { leadNamed, leadRef } from "../shared/lead-ref.ts";
import { isOwner, ownersOf } from "../shared/owners.ts";
import { ANSWER_BYTES, fitList, RECORD_BYTES } from "../shared/size.ts";
import { orderOf, SortFields } from "../shared/sort.ts";
import { dense, tableOf } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, limitOf, Offset, oneOf, present, Total } from "../shared/words.ts";
import { type Explained, emptyBecause, explainedFor } from "./explained.ts";
import { Meant, selectionOf } from "./selection.ts";

/** The columns of a lead if none are named; those of the filter and the order come after them. */
const USUAL = ["id", "name", "company", "status", "source", "owner", "value"];
const MOST_COLUMNS = 10;

/** The fields of which a name is made. */
const NAMES = ["name", "first_name", "last_name", "email", "phone"];

/** Room for what surrounds the leads. */
const FRAME_BYTES = 4_000;

export const findLeadsTool = composedTool({
  name: "find_leads",
  title: "Find leads",
  description:
    "Finds and counts leads (up to 10,000; summarize_leads counts further), the newest first by default. Returns columns, " +
    "rows, and same: what all rows share. If nothing matches, names the condition that no lead meets.",
  input: exactly({
    filter: Type.Optional(AssistantFilter),
    ...Meant,
    sort: SortFields,
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 60,
        description: `Columns; default ${USUAL.join(", ")} and those of filter and sort.`,
      }),
    ),
    detail: Type.Optional(oneOf(["concise", "full"], "full: every field.")),
    explain: Type.Optional(leadRef("A lead: returns instead which conditions it meets.")),
    limit: limitOf(25, 200, "Leads"),
    offset: Offset,
    total: Total,
  }),
  needs: "leads:read",
  view: VIEWS.results,
  idempotent: true,
  // The service is asked for other fields than the call names; its message names the unknown one.
  path: (path) => path.replace(/^\$\.fields\[\d+\]/, "$.fields"),
  async run(call, args) {
    const { explain, sort, fields = [], detail = "concise", limit = 25, offset = 0, total, ...given } = args;
    const selection = await selectionOf(call, given);
    if (explain !== undefined) {
      const lead = await leadNamed(call, explain, "$.explain");
      return explainedFor(lead, await explained(call, { ...selection, lead }));
    }
    const orders = (sort ?? []).map(orderOf);
    const columns = columnsOf(fields, [...fieldsIn(given), ...orders.map(({ field }) => field)]);
    const query = {
      ...selection,
      ...present({ total, ...(sort === undefined ? {} : { sort: orders }) }),
      ...(detail === "full" ? {} : { fields: [...new Set([...columns.flatMap(storedOf), "id"])] }),
      limit,
      offset,
    };
    const [page, owners] = await Promise.all([
      perform(call.service, queryLeads, call.caller, query),
      columns.includes("owner") ? ownersOf(call) : [],
    ]);
    const names = new Map(owners.map(({ id, name }) => [id, name]));
    const leads = (JSON.parse(page.json) as Lead[]).map((lead) => named(lead, names));
    const answer = answerOf(leads, page, { offset, columns, detail });
    if (leads.length > 0 || offset > 0 || query.filter === undefined) return answer;
    return { ...answer, ...emptyBecause(await explained(call, selection)) };
  },
});

interface Lead extends Record<string, unknown> {
  id: string;
  owner_id?: string | null;
}

const explained = ({ service, caller }: Call, input: object): Promise<Explained> =>
  perform(service, explainFilter, caller, input);

/** The fields of the leads themselves in a filter. */
const fieldsIn = ({ filter }: { filter?: { any: { all: { field: string }[] }[] } }): string[] =>
  (filter?.any ?? [])
    .flatMap(({ all }) => all.map(({ field }) => field))
    .filter((field) => !/^(event|dataset)\./.test(field));

function columnsOf(asked: readonly string[], used: readonly string[]): string[] {
  const own = asked.length > 0 ? ["id", ...asked] : [...USUAL, ...used];
  const columns = [...new Set(own.map((field) => (isOwner(field) ? "owner" : field)))];
  return asked.length > 0 ? columns : columns.slice(0, MOST_COLUMNS);
}

/** The fields that a column is made of. */
const storedOf = (column: string): string[] =>
  column === "owner" ? ["owner_id"] : column === "name" ? NAMES : [column];

/** A lead with its name and the name of its owner. */
function named(lead: Lead, owners: ReadonlyMap<string, string>): Lead {
  const name = nameOf(lead);
  const owner = owners.get(lead.owner_id ?? "");
  return {
    ...lead,
    ...(name === undefined ? {} : { name }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function answerOf(
  leads: readonly Lead[],
  { hasMore, total, totalRelation }: OffsetPage,
  { offset, columns, detail }: { offset: number; columns: readonly string[]; detail: string },
): object {
  const room = ANSWER_BYTES - FRAME_BYTES;
  const whole = detail === "full" ? fullLeads(leads, room) : undefined;
  const table = whole === undefined ? tableOf(columns, leads, room) : undefined;
  const shown = whole?.length ?? table?.rows.length ?? 0;
  const more = hasMore || shown < leads.length;
  return {
    ...(total === null ? {} : { total, ...(totalRelation === "gte" ? { at_least: true } : {}) }),
    ...(whole === undefined ? { leads: table } : { leads: whole }),
    ...(more ? { next_offset: offset + shown } : {}),
    untrusted_content: ["leads"],
  };
}

function fullLeads(leads: readonly Lead[], room: number): object[] {
  return fitList(
    leads.map((lead) => dense(leadRecord(lead, RECORD_BYTES).lead)),
    room,
  );
}
