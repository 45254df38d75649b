import type { KeptField } from "../../changes/undone-record.ts";
import {
  type LaterStep,
  type LeadEffect,
  type LeadNow,
  readField,
  type Since,
  type Step,
  sameStored,
  type Writer,
} from "./lead-effect.ts";

/** What to do to a lead to take a change of it back. */
export interface Decision {
  id: string;
  op: "none" | "set" | "delete" | "restore";
  /** The former values, by field, for `set`. */
  back: ReadonlyMap<string, unknown>;
  kept: readonly KeptField[];
}

/** Whether a value may be stored in a field today: its custom field exists and takes it, its status is in the list. */
export type Fits = (field: string, value: unknown) => boolean;

/**
 * Decides how a change of a lead is taken back. Nothing that somebody changed since is overwritten: it is kept and named.
 * A created lead is deleted if it is untouched, a deleted one is restored; a list loses what was added and gets back what
 * was removed, whatever else was done to it.
 */
export function decideLead(effect: LeadEffect, now: LeadNow | undefined, since: Since, fits: Fits): Decision {
  const { id } = effect;
  const nothing: Decision = { id, op: "none", back: new Map(), kept: [] };
  const kept = (reason: KeptField["reason"], writer?: Writer): Decision => ({
    ...nothing,
    kept: [keptField(null, reason, writer)],
  });
  const changesLead = effect.created || effect.deleted || effect.restored || effect.fields.size > 0;
  const changesTimeline = effect.recorded.length > 0 || effect.withdrew;
  if (!changesLead && !changesTimeline) return nothing;
  if (effect.moved || now?.merged === true) return kept("merged");
  if (now === undefined) return kept("gone");
  if (!changesLead) return nothing;
  const latest = since.steps.at(-1);
  if (effect.created) {
    if (now.deleted) return nothing;
    if (since.step !== undefined) return kept("changed_since", since.step);
    if (effect.version !== null && effect.version !== now.version) return kept("changed_since");
    if (since.event !== undefined) return kept("has_events", since.event);
    return { ...nothing, op: "delete" };
  }
  if (effect.restored) {
    if (now.deleted) return nothing;
    return latest === undefined ? { ...nothing, op: "delete" } : kept("changed_since", latest);
  }
  if (effect.deleted) {
    if (!now.deleted) return nothing;
    const deletion = since.steps.findLast(({ field }) => field === "deleted_at");
    return deletion === undefined ? { ...nothing, op: "restore" } : kept("deleted", deletion);
  }
  if (now.deleted)
    return kept(
      "deleted",
      since.steps.findLast(({ field }) => field === "deleted_at"),
    );
  return decideFields(effect, now, since, fits);
}

function decideFields({ id, fields }: LeadEffect, now: LeadNow, { steps }: Since, fits: Fits): Decision {
  const back = new Map<string, unknown>();
  const kept: KeptField[] = [];
  for (const [field, step] of fields) {
    const value = readField(now, field);
    if (sameStored(value, step.from)) continue;
    const later = steps.filter((each) => each.field === field);
    const stands = later.length === 0 && sameStored(value, step.to);
    const former = stands ? step.from : listWithout(value, step, later);
    if (former === undefined) kept.push(keptField(field, "changed_since", later.at(-1)));
    else if (sameStored(former, value)) continue;
    else if (fits(field, former)) back.set(field, former);
    else kept.push(keptField(field, "does_not_fit"));
  }
  return { id, op: back.size > 0 ? "set" : "none", back, kept };
}

const keptField = (
  field: string | null,
  reason: KeptField["reason"],
  { by, change_id, at }: Partial<Writer> = {},
): KeptField => ({
  field,
  reason,
  ...(by === undefined ? {} : { by }),
  ...(change_id === undefined ? {} : { change_id }),
  ...(at === undefined ? {} : { at }),
});

/**
 * A list without the difference that a change made, except for entries that were added or removed again since; undefined
 * if the value is no list.
 */
export function listWithout(
  value: unknown,
  { from, to }: Step,
  later: readonly Pick<LaterStep, "from" | "to">[],
): unknown[] | undefined {
  if (![value, from, to].every(Array.isArray)) return undefined;
  const [now, before, after] = [value, from, to] as unknown[][] as [unknown[], unknown[], unknown[]];
  const others = later.flatMap((step) =>
    Array.isArray(step.from) && Array.isArray(step.to) ? [lists(step.from, step.to)] : [],
  );
  const { added, removed } = lists(before, after);
  const own = added.filter((item) => !others.some((other) => other.added.includes(item)));
  const missing = removed.filter(
    (item) => !now.includes(item) && !others.some((other) => other.removed.includes(item)),
  );
  return [...now.filter((item) => !own.includes(item)), ...missing];
}

const lists = (from: readonly unknown[], to: readonly unknown[]) => ({
  added: to.filter((item) => !from.includes(item)),
  removed: from.filter((item) => !to.includes(item)),
});
