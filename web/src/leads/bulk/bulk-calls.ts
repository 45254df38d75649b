import type { BulkReport, LeadsBulk } from "../../../../src/contract/nouns/bulk.ts";
import type { Filter } from "../../../../src/contract/nouns/filter.ts";
import type { Job } from "../../../../src/contract/nouns/job.ts";
import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import type { LeadInput, LeadToChange, LeadToUpdate } from "../../../../src/contract/nouns/lead-input.ts";
import type { LeadSearch } from "../../../../src/contract/nouns/query.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Answer } from "../../api/call.ts";
import type { Api } from "../../api/queries.ts";
import { asked } from "../../filter/model/filter.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";

/** The changes that can be made to many leads. */
export type BulkAction =
  | { op: "set"; set: { status: string } | { owner_id: string | null } }
  | { op: "tag_add" | "tag_remove"; tags: string[] }
  | { op: "delete" };

/** How many leads changed, already had the value, and could not be changed. */
export interface BulkCounts {
  updated: number;
  unchanged: number;
  failed: number;
}

/** The service's limits: leads per call by id, and leads changed at once by a filter. */
const BATCH = 500;
const AT_ONCE = 10_000;

const sum = (answers: readonly BulkCounts[]): BulkCounts => ({
  updated: answers.reduce((all, { updated }) => all + updated, 0),
  unchanged: answers.reduce((all, { unchanged }) => all + unchanged, 0),
  failed: answers.reduce((all, { failed }) => all + failed, 0),
});

/** The answer is a job only if a filter found many leads. */
const isReport = (answer: BulkReport | Job): answer is BulkReport =>
  "matched" in answer || "results" in answer;

async function inLots<Item>(
  api: Api,
  items: readonly Item[],
  bodyOf: (items: Item[]) => LeadsBulk,
  signal?: AbortSignal,
): Promise<BulkReport[]> {
  const answers: (BulkReport | Job)[] = [];
  for (let at = 0; at < items.length; at += BATCH)
    answers.push(
      await api.call("POST", "/v1/leads/bulk", { body: bodyOf(items.slice(at, at + BATCH)), signal }),
    );
  return answers.filter(isReport);
}

const itemsOf = (ids: Iterable<string>): LeadToChange[] => [...ids].map((id) => ({ id }));

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
  const dry = { ...action, dry_run: true };
  if (!selection.all) {
    const leads = itemsOf(selection.leads.keys());
    const counts = sum(await inLots(api, leads, (items) => ({ ...dry, items }), signal));
    return { ...counts, matched: leads.length, rehearsed: true };
  }
  try {
    const body = { ...dry, ...byFilter(query) };
    const answers = [await api.call("POST", "/v1/leads/bulk", { body, signal })].filter(isReport);
    return { ...sum(answers), matched: answers[0]?.matched ?? 0, rehearsed: true };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "too_many_leads") throw error;
    const { count } = await api.call("POST", "/v1/leads/count", {
      body: { ...asked(query), exact: true },
      signal,
    });
    return { updated: count, unchanged: 0, failed: 0, matched: count, rehearsed: false };
  }
}

/** A change back. */
type Undo = { op: "restore"; items: LeadToChange[] } | { op: "update"; items: LeadToUpdate[] };

/** The result of a bulk change: counts and how to undo it, or the job that continues it. */
export type Outcome = { job: Job } | { counts: BulkCounts; undo: Undo | undefined };

export async function runBulk(
  api: Api,
  action: BulkAction,
  selection: Selection,
  query: LeadsQuery,
  expected: number,
): Promise<Outcome> {
  if (!selection.all) {
    const answers = await inLots(api, itemsOf(selection.leads.keys()), (items) => ({ ...action, items }));
    const changed = answers.flatMap(({ results = [] }) =>
      results.flatMap(({ id, outcome }) => (id !== null && outcome === "updated" ? [id] : [])),
    );
    return { counts: sum(answers), undo: undoOf(action, changed, selection.leads) };
  }
  const gone = action.op === "delete" && expected <= AT_ONCE ? await idsOf(api, query) : [];
  const body = { ...action, ...byFilter(query), expected_count: expected };
  const answer = await api.call("POST", "/v1/leads/bulk", { body });
  if (!isReport(answer)) return { job: answer };
  return { counts: sum([answer]), undo: undoOf(action, gone, new Map()) };
}

/** Undoes a bulk change. */
export const undoBulk = async (api: Api, { op, items }: Undo): Promise<BulkCounts> =>
  sum(
    op === "restore"
      ? await inLots(api, items, (some) => ({ op, items: some }))
      : await inLots(api, items, (some) => ({ op, items: some })),
  );

function undoOf(
  action: BulkAction,
  changed: readonly string[],
  before: ReadonlyMap<string, Lead>,
): Undo | undefined {
  if (changed.length === 0) return undefined;
  if (action.op === "delete") return { op: "restore", items: itemsOf(changed) };
  const was = ({ tags, status, owner_id }: Lead): LeadInput =>
    action.op !== "set" ? { tags } : "status" in action.set ? { status } : { owner_id };
  return {
    op: "update",
    items: changed.flatMap((id) => {
      const lead = before.get(id);
      return lead === undefined ? [] : [{ id, ...was(lead) }];
    }),
  };
}

/** Returns the ids of the leads that match now; they are needed to undo a deletion. */
async function idsOf(api: Api, query: LeadsQuery): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const body: LeadSearch = {
      ...asked(query),
      ...{ fields: ["id"], limit: BATCH },
      ...(cursor !== null && { cursor }),
    };
    const page: Answer<"POST", "/v1/leads/search"> = await api.call("POST", "/v1/leads/search", { body });
    ids.push(...page.leads.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}
