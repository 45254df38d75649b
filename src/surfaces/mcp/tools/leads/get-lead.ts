import { Type } from "typebox";
import { Refusal } from "../../../../core/refusal.ts";
import { getLead } from "../../../../domain/leads/read/get-lead.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { listEvents } from "../../../../domain/timeline/list-events.ts";
import type { Call } from "../../protocol/registry.ts";
import { briefEvent } from "../shared/brief-event.ts";
import { leadRecord } from "../shared/lead-record.ts";
import { leadNamed, leadRef } from "../shared/lead-ref.ts";
import { outside } from "../shared/outside-text.ts";
import { isNamed, ownersOf } from "../shared/owners.ts";
import { ANSWER_BYTES, bytesOf, fitList } from "../shared/size.ts";
import { dense } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly } from "../shared/words.ts";
import { fitRows, type RowsOfLead } from "./fit-rows.ts";

/** Room for what surrounds the lead, and for its events. */
const FRAME_BYTES = 2_000;
const EVENT_BYTES = 20_000;

export const getLeadTool = composedTool({
  name: "get_lead",
  title: "Read a lead",
  description:
    "Reads a lead with all fields and newest events; if several have the phone, e-mail or name, lists them.",
  input: exactly({
    id: leadRef("Id, e-mail, phone as people write it, or full name."),
    events: Type.Optional(Type.Integer({ minimum: 0, maximum: 50, default: 10 })),
    include_datasets: Type.Optional(Type.Boolean({ description: "Include the newest linked rows." })),
  }),
  needs: "leads:read",
  view: VIEWS.lead,
  idempotent: true,
  async run(call, { id: named, events: asked = 10, include_datasets: all = false }) {
    const { service, caller } = call;
    const id = await leadNamed(call, named, "$.id");
    const wanted = { id, ...(all ? { include: ["datasets"] } : {}) };
    const [json, page] = await Promise.all([
      perform(service, getLead, caller, { ...wanted, deleted: true }),
      asked === 0
        ? undefined
        : perform(service, listEvents, caller, { id, limit: asked }).catch(nothingIfGone),
    ]);
    const { datasets, ...alone } = outside(JSON.parse(json)) as GivenLead;
    const events = fitList((JSON.parse(page?.json ?? "[]") as object[]).map(ofThisLead), EVENT_BYTES);
    const room = ANSWER_BYTES - FRAME_BYTES - bytesOf(events);
    const { lead, cut } = leadRecord(dense(await withOwner(call, alone)), room);
    const rows = datasets === undefined ? undefined : fitRows(datasets, room - bytesOf(lead));
    const isMore = rows?.cut === true || Object.values(datasets ?? {}).some(({ has_more: there }) => there);
    return {
      lead: rows === undefined ? lead : { ...lead, datasets: rows.datasets },
      ...(asked === 0 ? {} : { events, ...(page?.nextCursor ? { more_events: true } : {}) }),
      truncated: cut || rows?.cut === true,
      ...(alone.deleted_at ? { hint: DELETED } : isMore ? { hint: furtherRows(alone.id) } : {}),
      untrusted_content: ["lead", ...(asked === 0 ? [] : ["events"])],
    };
  },
});

/** A deleted lead has no timeline while it is deleted. */
function nothingIfGone(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.kind !== "not_found") throw error;
}

interface GivenLead extends Record<string, unknown> {
  id: string;
  datasets?: Record<string, RowsOfLead>;
}

/** An event without the lead, which the answer names once. */
function ofThisLead(event: object): object {
  const { lead_id: _, ...rest } = briefEvent(event) as { lead_id?: string };
  return rest;
}

/** A lead with the name of its owner. */
async function withOwner(call: Call, lead: Record<string, unknown>): Promise<object> {
  const { owner_id: id } = lead;
  if (typeof id !== "string" || isNamed(id)) return lead;
  const owner = (await ownersOf(call)).find((member) => member.id === id);
  return owner === undefined ? lead : { ...lead, owner: outside(owner.name) };
}

const DELETED = "This lead is deleted. bulk_update_leads with action restore and its id brings it back.";

const furtherRows = (id: string): string =>
  "If a dataset's has_more is true, read_dataset returns more rows with the filter " +
  `${JSON.stringify({ any: [{ all: [{ field: "_lead_id", op: "eq", value: id }] }] })}.`;
