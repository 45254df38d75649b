import { Type } from "typebox";
import type { Fault } from "../../../../core/refusal.ts";
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
import { SortFields } from "../shared/sort.ts";
import { dense, tableOf } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, limitOf, Offset, oneOf, present, Total } from "../shared/words.ts";
import { type Explained, emptyBecause, explainedFor } from "./explained.ts";
import { asSaved } from "./saved-view.ts";
import { Meant, selectionOf } from "./selection.ts";

/** The columns of a lead if none are named; those of the filter and the order come after them. */
const USUAL = ["id", "name", "company", "status", "source", "owner", "value"];
const MOST_COLUMNS = 10;

/** The fields of which a name is made. */
const NAMES = ["display_name", "email", "phone"];

/** Room for what surrounds the leads. */
const FRAME_BYTES = 4_000;

export const findLeadsTool = composedTool({
  name: "find_leads",
  title: "Find leads",
  description:
    "Finds leads, the newest first, and counts them up to 10,000; summarize_leads counts all. same: what all rows share. If " +
    "nothing matches, says which condition no lead meets.",
  input: exactly({
    filter: Type.Optional(AssistantFilter),
    ...Meant,
    sort: SortFields,
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 60,
        description: `Columns; default ${USUAL.join(", ")} and those in use.`,
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
  check: ({ fields = [], sort = [] }) => [...relatedFaults("fields", fields), ...relatedFaults("sort", sort)],
  // The service is asked for other fields than the call names; its message names the unknown one.
  path: (path) => path.replace(/^\$\.fields\[\d+\]/, "$.fields"),
  async run(call, args) {
    const { explain, detail = "concise", limit = 25, offset = 0, total, ...rest } = args;
    const { sort, fields = [], used, ...given } = await asSaved(call, rest);
    const selection = await selectionOf(call, given);
    if (explain !== undefined) {
      const lead = await leadNamed(call, explain, "$.explain");
      return explainedFor(lead, await explained(call, { ...selection, lead }));
    }
    const orders = sort ?? [];
    const columns = columnsOf(fields, [...fieldsIn(given), ...used, ...orders.map(({ field }) => field)]);
    const query = {
      ...selection,
      ...present({ total, sort }),
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
    const answer = answerOf(leads, page, {
      offset,
      columns,
      asked: fields.length > 0 ? columns : [],
      detail,
    });
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

/** Events and rows of datasets are no values of a lead: only conditions name them. */
const relatedFaults = (argument: string, names: readonly string[]): Fault[] =>
  names.flatMap((name, i) =>
    RELATED.test(name.replace(/^[-+]/, ""))
      ? [
          {
            path: `$.${argument}[${i}]`,
            code: "only_in_filter",
            message: `${JSON.stringify(name.slice(0, 60))} is allowed only in a filter; get_lead, list_changes and read_dataset show events and rows`,
          },
        ]
      : [],
  );

const RELATED = /^(event|dataset)\./;

/** The fields of the leads themselves in a filter. */
const fieldsIn = ({ filter }: { filter?: { any: { all: { field: string }[] }[] } }): string[] =>
  (filter?.any ?? [])
    .flatMap(({ all }) => all.map(({ field }) => field))
    .filter((field) => !RELATED.test(field));

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
  asked: { offset: number; columns: readonly string[]; asked: readonly string[]; detail: string },
): object {
  const { offset, columns, detail } = asked;
  const room = ANSWER_BYTES - FRAME_BYTES;
  const whole = detail === "full" ? fullLeads(leads, room) : undefined;
  const table = whole === undefined ? tableOf(columns, leads, room, asked.asked) : undefined;
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
