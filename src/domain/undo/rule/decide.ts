import { isDeepStrictEqual } from "node:util";
import type { Actor } from "../../../contract/basics/actor.ts";
import type { KeptReason } from "../../../contract/lists/changes.ts";
import type { KeptField } from "../../changes/undone-record.ts";

/** Who did something, and by which change. */
export interface Writer {
  by: Actor;
  change_id: string | null;
  at: string;
}

/** The field of a record that is put back as a whole, such as a view; callers see it as null. */
export const WHOLE = "";

/** Whether a record exists: rows and definitions are `none` once they are deleted. */
export type Presence = "none" | "deleted" | "there";

/** What was done to a field of a record, or to its presence if `field` is null; `order` is comparable within the record. */
export interface Step {
  field: string | null;
  from: unknown;
  to: unknown;
  order: number;
}

/** A step of another change that still stands. */
export type LaterStep = Step & { writer: Writer };

/** A record that a change wrote: what the change did, what others did since, and its present state. */
export interface UndoRecord {
  id: string;
  /** The change's steps, in their order. */
  own: readonly Step[];
  /** What other changes did since it began, in their order. A change that was undone counts only for what its undo kept. */
  later: readonly LaterStep[];
  /** When the change last touched the record. */
  last: number;
  now: Presence | "merged" | "gone";
  /** The present value; undefined if the record has no such field any more. */
  read(field: string): unknown;
  /** Whether it was changed without a trace since the change created it. */
  untraced?: boolean;
  /** The latest event that others recorded on its timeline. */
  event?: Writer | undefined;
  /** Whether the change recorded or withdrew events. */
  timeline?: boolean;
  /** Who changed it last, if nothing that stands says so. */
  other?: Writer | undefined;
}

/** How kinds of records differ. */
export interface Rules {
  /** Why a deleted record is kept that is there again; undefined if that needs no undo. */
  again?: KeptReason;
  /** Why a changed record is kept that is not there. */
  absent: KeptReason;
  /** The field that says that a person opted out: an undo clears it only if it is asked to. */
  optOut?: string;
}

/** Whether a value may be stored in a field today. */
export type Fits = (field: string, value: unknown) => boolean;

/** What to do to a record. */
export interface Decision {
  id: string;
  op: "none" | "set" | "delete" | "restore";
  /** The former values, by field, for `set`, and for the `restore` of a record of which nothing is left. */
  back: ReadonlyMap<string, unknown>;
  kept: readonly KeptField[];
}

/**
 * Decides how a change is taken back from one record: put back what is still as the change left it, and keep and name what
 * somebody changed since. `only` are the fields that an earlier round of the same undo kept; null means the whole record. `clears` is
 * whether opt-outs may be cleared.
 */
export function decide(
  record: UndoRecord,
  rules: Rules,
  fits: Fits,
  only?: ReadonlySet<string | null>,
  clears = false,
): Decision {
  const { id, own, later, last, now } = record;
  const part = only === undefined || only.has(null) ? undefined : only;
  const presence = part === undefined ? presenceOf(own) : undefined;
  const fields = [...stepsByField(own)].filter(([field]) => part === undefined || part.has(field));
  const nothing: Decision = { id, op: "none", back: new Map(), kept: [] };
  const kept = (reason: KeptReason, writer?: Writer): Decision => ({
    ...nothing,
    kept: [...(part ?? [null])].map((field) => keptField(field, reason, writer)),
  });
  const changesRecord = presence !== undefined || fields.length > 0;
  if (!changesRecord && record.timeline !== true) return nothing;
  if (now === "merged" || now === "gone") return kept(now, record.other);
  if (!changesRecord) return nothing;
  const isThere = now === "there";
  if (presence === "none" || presence === "deleted") {
    if (!isThere) return nothing;
    const since = presence === "none" ? later.at(-1) : later.findLast(({ order }) => order > last);
    if (since !== undefined) return kept("changed_since", since.writer);
    if (record.untraced === true) return kept("changed_since", record.other);
    if (presence === "none" && record.event !== undefined) return kept("has_events", record.event);
    return { ...nothing, op: "delete" };
  }
  const absence = later.findLast(({ field, order }) => field === null && order > last);
  if (presence === "there") {
    if (isThere) return rules.again === undefined ? nothing : kept(rules.again, record.other);
    return absence === undefined ? restored(record, fields) : kept(rules.absent, absence.writer);
  }
  if (!isThere) return kept(rules.absent, absence?.writer ?? record.other);
  return putBack(record, fields, fits, clears ? undefined : rules.optOut);
}

function putBack(
  record: UndoRecord,
  fields: readonly (readonly [string, Step])[],
  fits: Fits,
  optOut: string | undefined,
): Decision {
  const back = new Map<string, unknown>();
  const kept: KeptField[] = [];
  for (const [field, step] of fields) {
    const value = record.read(field);
    if (value !== undefined && same(value, step.from)) continue;
    const later = record.later.filter((each) => each.field === field && each.order > step.order);
    const stands = later.length === 0 && same(value, step.to);
    const former = stands ? step.from : listWithout(value, step, later);
    if (value === undefined) kept.push(keptField(field, "does_not_fit"));
    else if (former === undefined)
      kept.push(keptField(field, "changed_since", later.at(-1)?.writer ?? record.other));
    else if (same(former, value)) continue;
    else if (field === optOut && value === true) kept.push(keptField(field, "opt_out"));
    else if (fits(field, former)) back.set(field, former);
    else kept.push(keptField(field, "does_not_fit"));
  }
  return { id: record.id, op: back.size > 0 ? "set" : "none", back, kept };
}

/** A deleted record comes back with the fields that there still are. */
function restored(record: UndoRecord, fields: readonly (readonly [string, Step])[]): Decision {
  const values = fields.filter(([, { from }]) => from !== null);
  const lost = values.filter(([field]) => record.read(field) === undefined);
  return {
    ...{ id: record.id, op: "restore" },
    back: new Map(values.flatMap((each) => (lost.includes(each) ? [] : [[each[0], each[1].from]]))),
    kept: lost.map(([field]) => keptField(field, "does_not_fit")),
  };
}

/** What the record was before the change; undefined if the change left that as it was. */
function presenceOf(own: readonly Step[]): Presence | undefined {
  const steps = own.filter(({ field }) => field === null);
  const from = steps[0]?.from as Presence | undefined;
  return from === steps.at(-1)?.to ? undefined : from;
}

/** By field, the change's steps since somebody else last wrote it, as one; without those that ended as they began. */
function stepsByField(own: readonly Step[]): Map<string, Step> {
  const steps = new Map<string, Step>();
  for (const step of own) {
    if (step.field === null) continue;
    const first = steps.get(step.field);
    const from = first !== undefined && same(first.to, step.from) ? first.from : step.from;
    steps.set(step.field, { ...step, from });
  }
  return new Map([...steps].filter(([, { from, to }]) => !same(from, to)));
}

const keptField = (
  field: string | null,
  reason: KeptReason,
  { by, change_id, at }: Partial<Writer> = {},
): KeptField => ({
  field: field === WHOLE ? null : field,
  reason,
  ...(by === undefined ? {} : { by }),
  ...(change_id === undefined ? {} : { change_id }),
  ...(at === undefined ? {} : { at }),
});

/**
 * A list without the difference that a change made, except for entries that were added or removed again since; undefined
 * if the value is no list.
 */
function listWithout(
  value: unknown,
  { from, to }: Step,
  later: readonly Pick<Step, "from" | "to">[],
): unknown[] | undefined {
  if (!Array.isArray(value) || !Array.isArray(from) || !Array.isArray(to)) return undefined;
  const others = later.flatMap((step) =>
    Array.isArray(step.from) && Array.isArray(step.to) ? [difference(step.from, step.to)] : [],
  );
  const { added, removed } = difference(from, to);
  const own = added.filter((item) => !others.some((other) => other.added.includes(item)));
  const missing = removed.filter(
    (item) => !value.includes(item) && !others.some((other) => other.removed.includes(item)),
  );
  return [...value.filter((item) => !own.includes(item)), ...missing];
}

const difference = (from: readonly unknown[], to: readonly unknown[]) => ({
  added: to.filter((item) => !from.includes(item)),
  removed: from.filter((item) => !to.includes(item)),
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Whether two stored values are equal; timestamps may be written in two ways. */
export function same(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string")
    return a === b || (TIMESTAMP.test(a) && TIMESTAMP.test(b) && Date.parse(a) === Date.parse(b));
  return isDeepStrictEqual(a ?? null, b ?? null);
}
/** A value that a record would get back, of which there may be only one. */
export interface Claim {
  id: string;
  value: string;
}

/** Which claims can be met together, and whose present values must be taken first because others get them. */
export interface Met {
  ids: ReadonlySet<string>;
  released: ReadonlySet<string>;
}

/**
 * Returns the largest set of claims that can be met together: a value is free, or its holder gives it up for another one
 * that it gets back, also in a circle. Of two claims of one value, the first is met.
 */
export function metClaims(claims: readonly Claim[], holderOf: (value: string) => string | undefined): Met {
  const met = new Map<string, string>();
  const wanted = new Set<string>();
  for (const { id, value } of claims) {
    if (wanted.has(value)) continue;
    wanted.add(value);
    met.set(id, value);
  }
  const isBlocked = ([id, value]: [string, string]): boolean => {
    const holder = holderOf(value);
    return holder !== undefined && holder !== id && !met.has(holder);
  };
  for (let blocked = [...met].filter(isBlocked); blocked.length > 0; blocked = [...met].filter(isBlocked))
    for (const [id] of blocked) met.delete(id);
  const released = [...met].flatMap(([id, value]) => {
    const holder = holderOf(value);
    return holder === undefined || holder === id ? [] : [holder];
  });
  return { ids: new Set(met.keys()), released: new Set(released) };
}
