import type { BulkReport, LeadsBulk } from "../../../../src/contract/nouns/bulk.ts";
import type { Filter } from "../../../../src/contract/nouns/filter.ts";
import type { Job } from "../../../../src/contract/nouns/job.ts";
import type { LeadToChange } from "../../../../src/contract/nouns/lead-input.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Api } from "../../api/queries.ts";
import { asked } from "../../filter/model/filter.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";
import {
  BATCH,
  type BulkAction,
  type BulkCounts,
  type Changed,
  changeEach,
  isReport,
  type Unsure,
} from "./change-each.ts";

/**
 * Up to this many leads that match are changed one by one, so that the change can be undone. More are changed by the
 * filter, which gives no versions to undo it with.
 */
const UNDOABLE = BATCH;

const sum = (answers: readonly BulkCounts[]): BulkCounts => ({
  updated: answers.reduce((all, { updated }) => all + updated, 0),
  unchanged: answers.reduce((all, { unchanged }) => all + unchanged, 0),
  failed: answers.reduce((all, { failed }) => all + failed, 0),
});

async function inLots<Item>(
  api: Api,
  items: readonly Item[],
  bodyOf: (items: Item[]) => LeadsBulk,
  signal: AbortSignal,
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
  /** Whether the change can be undone afterwards. */
  undoable: boolean;
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
    return { ...counts, matched: leads.length, rehearsed: true, undoable: true };
  }
  try {
    const body = { ...dry, ...byFilter(query) };
    const answers = [await api.call("POST", "/v1/leads/bulk", { body, signal })].filter(isReport);
    const matched = answers[0]?.matched ?? 0;
    return { ...sum(answers), matched, rehearsed: true, undoable: matched <= UNDOABLE };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "too_many_leads") throw error;
    const { count } = await api.call("POST", "/v1/leads/count", {
      body: { ...asked(query), exact: true },
      signal,
    });
    return { updated: count, unchanged: 0, failed: 0, matched: count, rehearsed: false, undoable: false };
  }
}

/** The result of a bulk change: counts and what an undo needs, or the job that continues it. */
export type Outcome = { job: Job } | (Changed & { undoable: boolean });

/** Changes the selected leads, or those that match, of which there must be `expected`. */
export async function runBulk(
  api: Api,
  action: BulkAction,
  selection: Selection,
  query: LeadsQuery,
  expected: number,
  unsure: Unsure,
): Promise<Outcome> {
  if (!selection.all)
    return { ...(await changeEach(api, action, selection.leads.keys(), unsure)), undoable: true };
  if (expected > UNDOABLE) {
    const body = { ...action, ...byFilter(query), expected_count: expected };
    const answer = await api.call("POST", "/v1/leads/bulk", { body });
    return isReport(answer) ? { counts: sum([answer]), before: [], undoable: false } : { job: answer };
  }
  const { leads, next_cursor } = await api.call("POST", "/v1/leads/search", {
    body: { ...asked(query), fields: ["id"], limit: UNDOABLE },
  });
  if (leads.length !== expected || next_cursor !== null) throw otherCount();
  const ids = leads.map(({ id }) => id);
  return { ...(await changeEach(api, action, ids, unsure, byFilter(query))), undoable: true };
}

/** The refusal of the service when other leads match than those that the person was shown. */
const otherCount = (): ApiError =>
  new ApiError({
    status: 409,
    code: "count_changed",
    message: "",
    details: [],
    requestId: "",
    retryAfter: undefined,
  });
