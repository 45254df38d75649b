import type { FilterOp } from "../../../../src/contract/lists/bulk.ts";
import type { ItemOutcome } from "../../../../src/contract/lists/outcomes.ts";
import type { JobState } from "../../../../src/contract/lists/states.ts";
import type { Filter } from "../../../../src/contract/nouns/filter.ts";
import type { Job } from "../../../../src/contract/nouns/job.ts";
import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Api } from "../../api/queries.ts";
import { asked } from "../../filter/model/filter.ts";
import type { LeadPage } from "../list/use-lead-pages.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";

/** The changes that can be made to many leads. */
export type BulkAction =
  | { op: "set"; set: { status: string } | { owner_id: string | null } }
  | { op: "tag_add" | "tag_remove"; tags: readonly string[] }
  | { op: "delete" };

/** How many leads changed, already had the value, and could not be changed. */
export interface BulkCounts {
  updated: number;
  unchanged: number;
  failed: number;
}

interface Answer extends BulkCounts {
  matched?: number;
  results?: { id: string | null; outcome: ItemOutcome }[];
}

type Items = { id: string; [field: string]: unknown }[];

/** The service's limits: leads per call by id, and leads changed at once by a filter. */
const BATCH = 500;
const AT_ONCE = 10_000;

const sum = (answers: readonly BulkCounts[]): BulkCounts => ({
  updated: answers.reduce((all, { updated }) => all + updated, 0),
  unchanged: answers.reduce((all, { unchanged }) => all + unchanged, 0),
  failed: answers.reduce((all, { failed }) => all + failed, 0),
});

async function inLots(api: Api, body: object, items: Items, signal?: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = { ...body, items: items.slice(at, at + BATCH) };
    answers.push(await api.call("POST", "/v1/leads/bulk", { body: batch, signal }));
  }
  return answers;
}

const byFilter = ({ filter, search }: LeadsQuery) => ({
  ...asked({ filter, search }),
  filter: filter ?? ({ and: [] } satisfies Filter),
});

/** What a bulk change would do. For too many leads only their number is known: `rehearsed` is false. */
export interface Rehearsal extends BulkCounts {
  matched: number;
  rehearsed: boolean;
}

/** Returns what the change would do, from a dry run. */
export async function rehearseBulk(
  api: Api,
  action: BulkAction,
  selection: Selection,
  query: LeadsQuery,
  signal: AbortSignal,
): Promise<Rehearsal> {
  const body = { ...action, dry_run: true };
  if (!selection.all) {
    const items = [...selection.leads.keys()].map((id) => ({ id }));
    const counts = sum(await inLots(api, body, items, signal));
    return { ...counts, matched: items.length, rehearsed: true };
  }
  try {
    const answer = await api.call("POST", "/v1/leads/bulk", {
      body: { ...body, ...byFilter(query) },
      signal,
    });
    return { ...sum([answer]), matched: answer.matched ?? 0, rehearsed: true };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "too_many_leads") throw error;
    const { count } = await api.call("POST", "/v1/leads/count", {
      body: { ...asked(query), exact: true },
      signal,
    });
    return { updated: count, unchanged: 0, failed: 0, matched: count, rehearsed: false };
  }
}

/** The result of a bulk change: counts and how to undo it, or the job that continues it. */
export type Outcome =
  | { job: Job }
  | { counts: BulkCounts; undo: { op: "restore" | "update"; items: Items } | undefined };

export async function runBulk(
  api: Api,
  action: BulkAction,
  selection: Selection,
  query: LeadsQuery,
  expected: number,
): Promise<Outcome> {
  if (!selection.all) {
    const answers = await inLots(
      api,
      action,
      [...selection.leads.keys()].map((id) => ({ id })),
    );
    const changed = answers.flatMap(({ results = [] }) =>
      results.flatMap(({ id, outcome }) => (id !== null && outcome === "updated" ? [id] : [])),
    );
    return { counts: sum(answers), undo: undoOf(action, changed, selection.leads) };
  }
  const gone = action.op === "delete" && expected <= AT_ONCE ? await idsOf(api, query) : [];
  const body = { ...action, ...byFilter(query), expected_count: expected };
  const answer = await api.call("POST", "/v1/leads/bulk", { body });
  if ("state" in answer) return { job: answer };
  return { counts: sum([answer]), undo: undoOf(action, gone, new Map()) };
}

/** Undoes a bulk change. */
export const undoBulk = async (api: Api, { op, items }: { op: string; items: Items }): Promise<BulkCounts> =>
  sum(await inLots(api, { op }, items));

function undoOf(action: BulkAction, changed: readonly string[], before: ReadonlyMap<string, Lead>) {
  if (changed.length === 0) return undefined;
  if (action.op === "delete") return { op: "restore" as const, items: changed.map((id) => ({ id })) };
  const field = action.op !== "set" ? "tags" : "status" in action.set ? "status" : "owner_id";
  const items = changed.map((id) => ({ id, [field]: before.get(id)?.[field] ?? null }));
  return { op: "update" as const, items };
}

/** Returns the ids of the leads that match now; they are needed to undo a deletion. */
async function idsOf(api: Api, query: LeadsQuery): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const body = { ...asked(query), fields: ["id"], limit: BATCH, ...(cursor !== null && { cursor }) };
    const page: LeadPage = await api.call("POST", "/v1/leads/search", { body });
    ids.push(...page.leads.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}
