import type { BulkReport } from "../../../../src/contract/nouns/bulk.ts";
import type { Filter } from "../../../../src/contract/nouns/filter.ts";
import type { Job } from "../../../../src/contract/nouns/job.ts";
import type { LeadPart } from "../../../../src/contract/nouns/lead.ts";
import type { LeadInput, LeadToUpdate } from "../../../../src/contract/nouns/lead-input.ts";
import type { LeadSearch } from "../../../../src/contract/nouns/query.ts";
import type { Api } from "../../api/queries.ts";
import { mayPass } from "../../parts/problem.tsx";
import { leadName } from "../../records/lead.ts";
import { sameValue } from "../../records/value.ts";

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

/** The service's limit of leads per call. */
export const BATCH = 500;

/** How often leads are read again that someone else changed between being read and being written. */
const ATTEMPTS = 4;

/** A lead that was changed: what the service had before, and the version that the change gave it. */
export interface ChangedLead {
  id: string;
  name: string;
  was: Was;
  version: number;
}

type Was = Pick<LeadInput, "status" | "owner_id" | "tags"> | "present";

/** The leads of a call without an answer, as they are if it was carried out; a further try finds out. */
export type Unsure = Map<string, ChangedLead>;

/** What a bulk change did; `error` is why it stopped before its end. */
export interface Changed {
  counts: BulkCounts;
  before: readonly ChangedLead[];
  error?: unknown;
}

/** The answer is a job only if a filter found many leads. */
export const isReport = (answer: BulkReport | Job): answer is BulkReport =>
  "matched" in answer || "results" in answer;

const NAMES = ["name", "first_name", "last_name", "email", "phone", "company", "external_id"] as const;

/** What the action changes of a lead. */
function wasOf(action: BulkAction, { status, owner_id, tags }: LeadPart): Was {
  if (action.op === "delete") return "present";
  if (action.op !== "set") return { tags: tags ?? [] };
  return "status" in action.set ? { status: status ?? "" } : { owner_id: owner_id ?? null };
}

/**
 * Changes leads by the versions just read, so that what is known of each before the change is what the service had. One
 * that someone else changes in between is read again; one that no longer matches `query` is left alone. `unsure` is of the
 * same action: what a try before may have changed.
 */
export async function changeEach(
  api: Api,
  action: BulkAction,
  ids: Iterable<string>,
  unsure: Unsure,
  query: { filter?: Filter; search?: string } = {},
): Promise<Changed> {
  const counts = { updated: 0, unchanged: 0, failed: 0 };
  const before: ChangedLead[] = [];
  const settle = async () => {
    const changed = await settled(api, action, unsure);
    counts.updated += changed.length;
    before.push(...changed);
  };
  await settle();
  const known = new Set(before.map(({ id }) => id));
  let left = [...ids].filter((id) => !known.has(id));
  try {
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const stale: string[] = [];
      for (const some of lotsOf(left)) {
        const leads = await readLeads(api, some, query);
        counts.failed += some.length - leads.length;
        if (leads.length === 0) continue;
        const items = leads.map(({ id, version }) => ({ id, version: version ?? 1 }));
        for (const lead of leads) unsure.set(lead.id, asChanged(action, lead, (lead.version ?? 1) + 1));
        const answer = await api.call("POST", "/v1/leads/bulk", { body: { ...action, items } });
        unsure.clear();
        for (const { index, outcome, version, error } of isReport(answer) ? (answer.results ?? []) : []) {
          const lead = leads[index];
          if (lead === undefined) continue;
          if (outcome === "updated" && version !== null) {
            counts.updated += 1;
            before.push(asChanged(action, lead, version));
          } else if (outcome !== "failed") counts.unchanged += 1;
          else if (error?.code === "stale" && attempt < ATTEMPTS) stale.push(lead.id);
          else counts.failed += 1;
        }
      }
      left = stale;
    }
  } catch (error) {
    if (!mayPass(error)) unsure.clear();
    await settle().catch(() => undefined);
    if (before.length === 0) throw error;
    return { counts, before, error };
  }
  return { counts, before };
}

const asChanged = (action: BulkAction, lead: LeadPart, version: number): ChangedLead => ({
  id: lead.id,
  name: leadName(lead),
  was: wasOf(action, lead),
  version,
});

/** Finds out which of the leads without an answer were changed: they have the next version and the new value, or are gone. */
async function settled(api: Api, action: BulkAction, unsure: Unsure): Promise<readonly ChangedLead[]> {
  if (unsure.size === 0) return [];
  const now = new Map((await readLeads(api, [...unsure.keys()])).map((lead) => [lead.id, lead]));
  const changed = [...unsure.values()].filter(({ id, version }) => {
    const lead = now.get(id);
    if (action.op === "delete") return lead === undefined;
    return lead !== undefined && lead.version === version && isDone(action, lead);
  });
  unsure.clear();
  return changed;
}

function isDone(action: BulkAction, { status, owner_id, tags }: LeadPart): boolean {
  if (action.op === "delete") return false;
  if (action.op === "set")
    return "status" in action.set ? status === action.set.status : (owner_id ?? null) === action.set.owner_id;
  const all = new Set(tags);
  return action.tags.every((tag) => all.has(tag) === (action.op === "tag_add"));
}

/**
 * What became of an undo: how many leads are as before, and the names of those that were left as they are because they
 * were changed since, or that could not be changed for another reason.
 */
export interface Undone {
  undone: number;
  since: readonly string[];
  refused: readonly string[];
}

/**
 * Gives leads back what they had before a change, unless they were changed since. It can be sent again after a failure:
 * a lead that already has its former value counts as undone.
 */
export async function undoEach(api: Api, leads: readonly ChangedLead[]): Promise<Undone> {
  let undone = 0;
  const kept: ChangedLead[] = [];
  const stale = new Set<string>();
  for (const some of lotsOf(leads)) {
    const restored = some.flatMap(({ id, version, was }) => (was === "present" ? [{ id, version }] : []));
    const updated = some.flatMap(({ id, version, was }): LeadToUpdate[] =>
      was === "present" ? [] : [{ id, version, ...was }],
    );
    const body =
      restored.length > 0
        ? { op: "restore" as const, items: restored }
        : { op: "update" as const, items: updated };
    const answer = await api.call("POST", "/v1/leads/bulk", { body });
    for (const { index, outcome, error } of isReport(answer) ? (answer.results ?? []) : []) {
      const lead = some[index];
      if (outcome !== "failed") undone += 1;
      else if (lead !== undefined) kept.push(lead);
      if (lead !== undefined && error?.code === "stale") stale.add(lead.id);
    }
  }
  const [since, refused]: [string[], string[]] = [[], []];
  for (const some of lotsOf(kept)) {
    const now = new Map(
      (
        await readLeads(
          api,
          some.map(({ id }) => id),
        )
      ).map((lead) => [lead.id, lead]),
    );
    for (const { id, name, was } of some) {
      const lead = now.get(id);
      if (lead !== undefined && isAgain(was, lead)) undone += 1;
      else (stale.has(id) ? since : refused).push(name || id);
    }
  }
  return { undone, since, refused };
}

const isAgain = (was: Was, { status, owner_id, tags }: LeadPart): boolean =>
  was === "present" ||
  ((was.status === undefined || was.status === status) &&
    (was.owner_id === undefined || was.owner_id === (owner_id ?? null)) &&
    (was.tags === undefined || sameValue(was.tags, tags)));

async function readLeads(
  api: Api,
  ids: readonly string[],
  { filter, search }: { filter?: Filter; search?: string } = {},
): Promise<LeadPart[]> {
  const wanted = new Set(ids);
  const body: LeadSearch = {
    ...(search !== undefined && { search }),
    // joined with the ids, a filter at its limit would be refused; one that is given finds at most a batch
    filter: filter ?? { field: "id", op: "in", value: [...ids] },
    fields: ["id", "version", "status", "owner_id", "tags", ...NAMES],
    limit: BATCH,
  };
  return (await api.call("POST", "/v1/leads/search", { body })).leads.filter(({ id }) => wanted.has(id));
}

const lotsOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH));
