import { Type } from "typebox";
import type { ChangeRecord } from "../../../../contract/changes/change.ts";
import type { Job } from "../../../../contract/jobs/jobs.ts";
import { isId } from "../../../../core/id.ts";
import { getApproval } from "../../../../domain/approvals/get-approval.ts";
import { getChange } from "../../../../domain/history/read/get-change.ts";
import { listChanges } from "../../../../domain/history/read/list-changes.ts";
import { getJob } from "../../../../domain/jobs/get-job.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { BOUND } from "../../../../domain/operation/page.ts";
import { listEvents } from "../../../../domain/timeline/list-events.ts";
import { listProjectEvents } from "../../../../domain/timeline/list-project-events.ts";
import type { Call } from "../../protocol/registry.ts";
import { briefEvent } from "../shared/brief-event.ts";
import { recordOf } from "../shared/change-record.ts";
import { leadNamed, leadRef } from "../shared/lead-ref.ts";
import { outside } from "../shared/outside-text.ts";
import { isNamed, ownerNamed, ownersOf, withOwnerNames } from "../shared/owners.ts";
import { PERIOD, periodFaults, spanOf } from "../shared/period.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { dense } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { exactly, limitOf, present } from "../shared/words.ts";
import { type Change, changeOf } from "./change-words.ts";

const FRAME_BYTES = 2_000;
/** How many changes have their records in the list, and how many each. */
const DETAILED = 20;
const RECORDS = 10;
/** How far back events of all leads are listed if no time is named. */
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

interface Asked {
  types?: string[];
  from?: string;
  to?: string;
  actor?: string;
  limit: number;
  cursor?: string;
}

/** Reads the record of changes, a lead's timeline, the events of all leads, or one change or job. */
export const listChangesTool = composedTool({
  name: "list_changes",
  title: "List changes and events",
  description:
    "What was changed and by whom, the newest first, with former and new values and change_id for undo. With lead: its " +
    "timeline. With types: such events of all leads. With id: one change or job.",
  input: exactly({
    lead: Type.Optional(leadRef()),
    types: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        description: "Of events, such as call.made, email.*.",
      }),
    ),
    actor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "A member's name, an id, or me: this assistant.",
      }),
    ),
    ...PERIOD,
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: "A change_id, job_id or approval's id." }),
    ),
    limit: limitOf(20, 100, "Entries"),
    cursor: Type.Optional(Type.String({ maxLength: 10_000, description: "From next_cursor." })),
  }),
  needs: "leads:read",
  idempotent: true,
  check: periodFaults,
  async run(call, { id, lead, period, actor, limit = 20, ...rest }) {
    if (id !== undefined) return await oneOfThem(call, id, limit, rest.cursor);
    const span = period === undefined ? {} : await spanOf(call, period);
    const asked: Asked = { ...rest, ...span, limit };
    if (lead !== undefined)
      return await timeline(call, await leadNamed(call, lead), await actedBy(call, actor, asked));
    if (rest.types !== undefined) return await eventsOfAll(call, await actedBy(call, actor, asked));
    return await changes(call, await changedBy(call, actor, asked));
  },
});

/** The actor of events, who is the member that the assistant acts for if it is `me`. */
async function actedBy(call: Call, actor: string | undefined, asked: Asked): Promise<Asked> {
  if (actor === undefined) return asked;
  return { ...asked, actor: isMember(actor) ? ownerNamed(await ownersOf(call), actor, "$.actor") : actor };
}

/** The actor of changes, which has a word for this assistant itself. */
const changedBy = async (call: Call, actor: string | undefined, asked: Asked): Promise<Asked> =>
  actor === "me" ? { ...asked, actor } : await actedBy(call, actor, asked);

/** Whether a text names a member, and is not the id of a key or an authorization. */
const isMember = (actor: string): boolean => isNamed(actor) && !/^[a-z]{2,5}_[0-9a-z]{26}$/.test(actor);

async function changes(call: Call, asked: Asked): Promise<object> {
  const { service, caller } = call;
  const { json, nextCursor } = await perform(service, listChanges, caller, asked);
  const found = JSON.parse(json) as Change[];
  const records = await Promise.all(
    found.slice(0, DETAILED).map(({ id }) => perform(service, getChange, caller, { id, limit: RECORDS })),
  );
  const told = found.map((change, i) => {
    const { records: text = "[]", nextCursor: more = null } = records[i] ?? {};
    const shown = (JSON.parse(text) as ChangeRecord[]).map(recordOf);
    return outside({
      ...changeOf(change),
      ...(shown.length > 0 ? { records: shown } : {}),
      ...(more === null ? {} : { more_records: true }),
    }) as object;
  });
  return listed("changes", await withOwnerNames(call, told), nextCursor);
}

async function timeline(call: Call, id: string, asked: Asked): Promise<object> {
  const { service, caller } = call;
  const { json, nextCursor } = await perform(service, listEvents, caller, { id, ...asked });
  const events = (JSON.parse(json) as object[]).map((event) => {
    const { lead_id: _, ...rest } = briefEvent(event) as { lead_id?: string };
    return rest;
  });
  return { lead_id: id, ...listed("events", await withOwnerNames(call, events), nextCursor) };
}

async function eventsOfAll(call: Call, { from, ...asked }: Asked): Promise<object> {
  const { service, caller } = call;
  const since = from ?? `${new Date(Date.now() - USUAL_DAYS * DAY_MS).toISOString().slice(0, 19)}+00:00`;
  const { json, total, nextCursor } = await perform(service, listProjectEvents, caller, {
    ...asked,
    from: since,
  });
  const events = await withOwnerNames(call, (JSON.parse(json) as object[]).map(briefEvent));
  return {
    total,
    ...(total >= BOUND ? { at_least: true } : {}),
    ...(from === undefined ? { since } : {}),
    ...listed("events", events, nextCursor),
  };
}

function listed(name: "changes" | "events", items: object[], nextCursor: string | null): object {
  const shown = fitList(items, ANSWER_BYTES - FRAME_BYTES);
  const cut = shown.length < items.length;
  return {
    [name]: shown,
    ...(nextCursor === null || cut ? {} : { next_cursor: nextCursor }),
    ...(cut ? { hint: `Only ${shown.length} fit. Call again with that limit, then with next_cursor.` } : {}),
    untrusted_content: [name],
  };
}

/** What an assistant can do about an approval, by its state. */
const APPROVAL_NEXT: Readonly<Record<string, string>> = {
  waiting: "The user has not decided yet. The link that you gave them works until expires_at.",
  expired: "The user did not decide in time. Call the tool again for a new link.",
  declined: "The user declined it: nothing was changed.",
};

async function oneOfThem(
  { service, caller }: Call,
  id: string,
  limit: number,
  cursor: string | undefined,
): Promise<object> {
  if (isId("apr", id)) {
    const approval = await perform(service, getApproval, caller, { id });
    const next = APPROVAL_NEXT[approval.state];
    const { job_id: job } = (approval.outcome ?? {}) as { job_id?: unknown };
    return {
      approval: dense(outside(approval) as object),
      ...(typeof job === "string"
        ? jobAnswer(JSON.parse(await perform(service, getJob, caller, { id: job })) as Job)
        : {}),
      ...(next === undefined ? {} : { next_step: next }),
      untrusted_content: ["approval"],
    };
  }
  if (isId("job", id)) {
    return jobAnswer(JSON.parse(await perform(service, getJob, caller, { id })) as Job);
  }
  const asked = { id, limit, ...present({ cursor }) };
  const { json, records, nextCursor } = await perform(service, getChange, caller, asked);
  const shown = fitList(
    (JSON.parse(records) as ChangeRecord[]).map((record) => outside(recordOf(record)) as object),
    ANSWER_BYTES - FRAME_BYTES,
  );
  return {
    change: outside({ ...changeOf(JSON.parse(json) as Change), records: shown }),
    ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
    untrusted_content: ["change"],
  };
}

/** What an assistant is told of a job, with the id of its change. */
export const jobAnswer = (job: Job): object => ({
  job: dense(outside({ ...job, actor: undefined, query: undefined }) as object),
  ...(job.change_id === null ? {} : { change_id: job.change_id }),
  untrusted_content: [],
});
