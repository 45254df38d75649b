import type { Change } from "../../../../src/contract/changes/change.ts";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import type { Job } from "../../../../src/contract/jobs/jobs.ts";
import type { BulkReport, LeadsBulk } from "../../../../src/contract/leads/bulk.ts";
import type { LeadInput, LeadToChange } from "../../../../src/contract/leads/lead-input.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Api } from "../../api/queries.ts";
import { asked } from "../../filter/model/filter.ts";
import { sameValue } from "../../records/value.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";

/** The changes that can be made to many leads. */
export type BulkAction =
  | { op: "set"; set: LeadInput }
  | { op: "tag_add" | "tag_remove"; tags: string[] }
  | { op: "delete" | "restore" };

/** How many leads changed, already had the value, and could not be changed. */
interface BulkCounts {
  updated: number;
  unchanged: number;
  failed: number;
}

/** The service's limit of leads per call. */
const BATCH = 500;

/** The answer is a job only if a filter found many leads. */
const isReport = (answer: BulkReport | Job): answer is BulkReport =>
  "matched" in answer || "results" in answer;

const sum = (answers: readonly BulkCounts[]): BulkCounts => ({
  updated: answers.reduce((all, { updated }) => all + updated, 0),
  unchanged: answers.reduce((all, { unchanged }) => all + unchanged, 0),
  failed: answers.reduce((all, { failed }) => all + failed, 0),
});

/** The bodies of calls for the selected leads. */
const bodiesOf = (action: BulkAction, selection: Selection & { all: false }): LeadsBulk[] => {
  const items = [...selection.leads.keys()].map((id): LeadToChange => ({ id }));
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => ({
    ...action,
    items: items.slice(i * BATCH, (i + 1) * BATCH),
  }));
};

const byFilter = ({ filter, search }: LeadsQuery) => ({
  ...asked({ filter, search }),
  filter: filter ?? ({ and: [] } satisfies Filter),
});

/** What a bulk change would do. For too many leads only their number is known: `rehearsed` is false. */
export interface Rehearsal extends BulkCounts {
  matched: number;
  rehearsed: boolean;
  /** Why the first of those that cannot be changed cannot. */
  why?: string | undefined;
}

/** Returns what the change would do, from a dry run. */
export async function rehearseBulk(
  api: Api,
  action: BulkAction,
  selection: Selection,
  query: LeadsQuery,
  signal: AbortSignal,
): Promise<Rehearsal> {
  if (!selection.all) {
    const answers: BulkReport[] = [];
    for (const given of bodiesOf(action, selection)) {
      const body: LeadsBulk = { ...given, dry_run: true };
      const answer = await api.call("POST", "/v1/leads/bulk", { body, signal });
      if (isReport(answer)) answers.push(answer);
    }
    return { ...sum(answers), matched: selection.leads.size, rehearsed: true, why: whyIn(answers) };
  }
  try {
    const body: LeadsBulk = { ...action, ...byFilter(query), dry_run: true };
    const answers = [await api.call("POST", "/v1/leads/bulk", { body, signal })].filter(isReport);
    return { ...sum(answers), matched: answers[0]?.matched ?? 0, rehearsed: true };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "too_many_leads") throw error;
    const body = { ...asked(query), exact: true };
    const { count } = await api.call("POST", "/v1/leads/count", { body, signal });
    return { updated: count, unchanged: 0, failed: 0, matched: count, rehearsed: false };
  }
}

function whyIn(answers: readonly BulkReport[]): string | undefined {
  const error = answers.flatMap(({ results = [] }) => results).find((each) => each.error !== null)?.error;
  return error?.details.map(({ message }) => message).join(" ") || error?.message;
}

/** The result of a bulk change: counts and its changes, or the job that continues it; `error` is why it stopped. */
export type Outcome = { job: Job } | { counts: BulkCounts; changes: readonly string[]; error?: unknown };

/** Changes the selected leads, or those that match, of which there must be `expected`. `lost` are its changes of a try without an answer. */
export async function runBulk(
  api: Api,
  action: BulkAction,
  selection: Selection,
  query: LeadsQuery,
  expected: number,
  lost: readonly Change[],
): Promise<Outcome> {
  const counts = lost.map(countsIn);
  const changes = lost.map(({ id }) => id);
  if (selection.all) {
    const [made] = lost;
    if (made !== undefined) {
      if (made.job_id === null) return { counts: sum(counts), changes };
      return { job: await api.call("GET", "/v1/jobs/{id}", { params: { id: made.job_id } }) };
    }
    const body: LeadsBulk = { ...action, ...byFilter(query), expected_count: expected };
    const { answer, change } = await api.write("POST", "/v1/leads/bulk", { body });
    return isReport(answer) ? { counts: answer, changes: change === null ? [] : [change] } : { job: answer };
  }
  try {
    for (const body of bodiesOf(action, selection)) {
      const { answer, change } = await api.write("POST", "/v1/leads/bulk", { body });
      if (isReport(answer)) counts.push(answer);
      if (change !== null) changes.push(change);
    }
  } catch (error) {
    if (changes.length === 0) throw error;
    return { counts: sum(counts), changes, error };
  }
  return { counts: sum(counts), changes };
}

const countsIn = ({ counts }: Change): BulkCounts => ({
  updated: (counts.leads_updated ?? 0) + (counts.leads_deleted ?? 0) + (counts.leads_restored ?? 0),
  unchanged: 0,
  failed: 0,
});

/** The id of the person's newest bulk change; empty if there is none. */
export async function newestOwn(api: Api): Promise<string> {
  const { changes } = await api.call("GET", "/v1/changes", {
    query: { actor: "me", kind: ["bulk"], limit: 1 },
  });
  return changes[0]?.id ?? "";
}

/** The person's bulk changes like this one that are newer: those of a try without an answer. */
export async function lostSince(api: Api, before: string, action: BulkAction): Promise<Change[]> {
  const { changes } = await api.call("GET", "/v1/changes", {
    query: { actor: "me", kind: ["bulk"], limit: 50 },
  });
  const fields = action.op === "set" ? fieldsIn(action.set) : undefined;
  return changes
    .filter(
      ({ id, surface, about }) =>
        id > before &&
        surface === "panel" &&
        about.op === action.op &&
        (fields === undefined || sameValue(about.fields, fields)),
    )
    .reverse();
}

/** The fields that are set, as a change names them. */
const fieldsIn = ({ custom = {}, ...fields }: LeadInput): string[] =>
  [...Object.keys(fields), ...Object.keys(custom ?? {}).map((key) => `custom.${key}`)].sort();
