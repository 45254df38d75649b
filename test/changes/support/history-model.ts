import {
  isDecision,
  isWritten,
  type Kept,
  type Marked,
  ModelChanges,
  type ModelCounts,
  marks,
  noCounts,
} from "./model-changes.ts";

/** A change as the model knows it. */
export interface ModelChange extends Marked<ModelChange> {
  /** Events that it took off timelines, and whose they were. */
  withdrawn: { home: ModelLead; event: number; part: object | undefined }[];
  /** The merges that it made, or took back. */
  merges: { of: ModelMerge; did: "joined" | "separated"; part: object | undefined }[];
  /** Undoing it is a job, whose counts it has as long as it is undone by the same change. */
  isImport: boolean;
  importUndo: { by: ModelChange; deleted: number; restored: number; left: number } | undefined;
  /** Stands for the time when it began. */
  begun: number;
}

/** Two leads that are one, or were. */
export interface ModelMerge {
  winner: ModelLead;
  loser: ModelLead;
  fields: ReadonlyMap<string, Step>;
  /** Whose values win where both have one. */
  prefer: Side;
  /** The change that joined them last. */
  change: ModelChange;
  undone: boolean;
}

export type Side = "this" | "other";

interface Step {
  from: unknown;
  to: unknown;
}

interface Entry extends Partial<Step> {
  seq: number;
  change: ModelChange;
  /** Of an undo of several changes: for which of them. */
  part: object | undefined;
  /** The lead that it happened to; a merge moves it to the log of another one. */
  home: ModelLead;
  what: "created" | "field" | "deleted" | "restored" | "merged" | "event";
  /** Which event it is: one that was withdrawn comes back as the same. */
  event?: number;
  field?: string;
}

export interface ModelLead {
  id: string;
  fields: Record<string, unknown>;
  deleted: boolean;
  mergedInto: ModelLead | undefined;
  log: Entry[];
}

/** What an undo did; undefined counts if it is refused. */
export interface ModelUndo {
  counts: ModelCounts | undefined;
  made: boolean;
}

/** What is to be done with a lead. */
interface Plan {
  lead: ModelLead;
  op: "none" | "delete" | "restore" | "set";
  back: Record<string, unknown>;
  kept: Set<string | null>;
  /** Whether it is not limited to fields that were kept before. */
  whole: boolean;
  /** Whether events were recorded or withdrawn. */
  timeline: boolean;
}

/** A part of an undo: what it takes back, and of which fields of which leads, if an earlier round has done the others. */
interface Taking {
  change: ModelChange;
  part: object | undefined;
  undo: ModelChange;
  /** The part of the undo. */
  own: object | undefined;
  only: ReadonlyMap<string, ReadonlySet<string | null>> | undefined;
  counts: ModelCounts;
}

/** Main addresses, and the lists of further ones. */
export const FURTHER = [
  ["email", "emails"],
  ["phone", "phones"],
] as const;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What changes and undos mean, written as plainly as possible: a log of each lead, and no database. */
export class HistoryModel extends ModelChanges<ModelChange> {
  readonly leads: ModelLead[] = [];
  #seq = 0;
  #part: object | undefined;

  begin(author: number, more: Partial<ModelChange> = {}): ModelChange {
    this.#seq += 1;
    return {
      ...{ id: "", author, begun: this.#seq, ...marks<ModelChange>() },
      ...{ withdrawn: [], merges: [], isImport: false, importUndo: undefined, ...more },
    };
  }

  protected get logs() {
    return this.leads.map(({ log }) => log);
  }

  /** The record of an import counts again. */
  protected override flipped(change: ModelChange): void {
    change.importUndo = undefined;
  }

  /** Leads that callers see. */
  get alive(): ModelLead[] {
    return this.leads.filter(({ deleted, mergedInto }) => !deleted && mergedInto === undefined);
  }

  /** The lead that has an external id. */
  holder = (externalId: unknown): ModelLead | undefined =>
    externalId === null || externalId === undefined
      ? undefined
      : this.alive.find(({ fields: { external_id: own } }) => own === externalId);

  #note(lead: ModelLead, change: ModelChange, entry: Omit<Entry, "seq" | "change" | "home" | "part">): void {
    this.#seq += 1;
    lead.log.push({ seq: this.#seq, change, part: this.#part, home: lead, ...entry });
  }

  create(change: ModelChange, id: string, fields: Record<string, unknown>): ModelLead {
    const created = { ...fields, created_at: change.begun };
    const lead: ModelLead = { id, fields: created, deleted: false, mergedInto: undefined, log: [] };
    this.#note(lead, change, { what: "created" });
    this.leads.push(lead);
    return lead;
  }

  set(change: ModelChange, lead: ModelLead, fields: Record<string, unknown>): Map<string, Step> {
    const steps = new Map<string, Step>();
    for (const [field, to] of Object.entries(fields)) {
      const from = lead.fields[field];
      if (same(from, to)) continue;
      lead.fields[field] = to;
      steps.set(field, { from, to });
      // No event tells that a merge moves the time of creation.
      if (field !== "created_at") this.#note(lead, change, { what: "field", field, from, to });
    }
    return steps;
  }

  delete(change: ModelChange, lead: ModelLead, deleted: boolean): void {
    if (lead.deleted === deleted) return;
    lead.deleted = deleted;
    this.#note(lead, change, { what: deleted ? "deleted" : "restored" });
  }

  event(change: ModelChange, lead: ModelLead): void {
    this.#note(lead, change, { what: "event", event: this.#seq });
  }

  /** Merges a lead into another one, which takes values that it lacks. */
  merge(change: ModelChange, winner: ModelLead, loser: ModelLead, prefer: Side = "this"): void {
    const fields = this.#join(change, winner, loser, prefer);
    change.merges.push({
      of: { winner, loser, fields, prefer, change, undone: false },
      did: "joined",
      part: undefined,
    });
  }

  #join(change: ModelChange, winner: ModelLead, loser: ModelLead, prefer: Side): Map<string, Step> {
    const taken = Object.entries(loser.fields).map(([field, other]) => {
      const own = winner.fields[field];
      if (field === "created_at") return [field, Math.min(Number(own), Number(other))];
      if (Array.isArray(own)) return [field, [...new Set([...own, ...(other as unknown[])])]];
      return [field, prefer === "this" ? (own ?? other) : (other ?? own)];
    });
    const values = Object.fromEntries(taken);
    for (const [main, list] of FURTHER) {
      const all = [winner, loser].flatMap(({ fields }) => [fields[main], ...(fields[list] as unknown[])]);
      values[list] = [...new Set(all)].filter((each) => each !== null && each !== values[main]);
    }
    loser.mergedInto = winner;
    const fields = this.set(change, winner, values);
    this.#note(winner, change, { what: "merged" });
    winner.log.push(...loser.log.splice(0));
    return fields;
  }

  /** Takes a change back, or what an earlier undo of it kept. A job stores what is kept also if it puts nothing back. */
  undo(change: ModelChange, fresh: ModelChange, isJob: boolean): ModelUndo {
    const undo = change.undoneBy ?? fresh;
    const counts = noCounts();
    const parts = change.parts.length === 0 ? [undefined] : change.parts.toReversed();
    const before = this.#saved(undo);
    const keptBefore = undo.kept.filter(({ of }) => of === change).length;
    const again = change.undoneBy !== undefined;
    for (const part of parts) {
      this.#part = part === undefined && undo.parts.length === 0 ? undefined : {};
      if (this.#part !== undefined) undo.parts.push(this.#part);
      const isDone = this.#undoPart({ change, part, undo, counts }, again);
      this.#part = undefined;
      if (!isDone) {
        before();
        return { counts: undefined, made: false };
      }
    }
    const kept = undo.kept.filter(({ of }) => of === change).length;
    const made = isWritten(counts);
    if (!made && !isJob && (change.undoneBy === undefined || kept >= keptBefore)) before();
    else if (change.undoneBy === undefined) this.markUndone(change, undo);
    return { counts, made };
  }

  /** Takes changes of an author back, from the last one, as one; returns those that were refused. */
  undoMany(changes: readonly ModelChange[], undo: ModelChange): ModelUndo & { refused: ModelChange[] } {
    const counts = noCounts();
    const refused: ModelChange[] = [];
    const before = this.#saved(undo);
    const keptBefore = undo.kept.length;
    const isAgain = changes.some(({ undoneBy }) => undoneBy !== undefined);
    if (!isAgain) undo.undid = [...changes];
    const undoneBefore = changes.map(({ undoneBy }) => undoneBy);
    for (const [i, change] of changes.entries()) {
      // Undone again because the undo of its undo was taken back before it.
      if (change.undoneBy !== undoneBefore[i]) {
        undo.undid = undo.undid.filter((each) => each !== change);
        refused.push(change);
        continue;
      }
      const own = noCounts();
      const back = this.#saved(undo);
      const wasUndone = change.undoneBy !== undefined;
      if (!wasUndone) this.markUndone(change, undo);
      for (const part of change.parts.length === 0 ? [undefined] : change.parts.toReversed()) {
        this.#part = {};
        undo.parts.push(this.#part);
        const isDone = this.#undoPart({ change, part, undo, counts: own }, wasUndone);
        this.#part = undefined;
        if (isDone) continue;
        back();
        undo.undid = undo.undid.filter((each) => each !== change);
        refused.push(change);
        Object.assign(own, noCounts());
        break;
      }
      for (const [name, count] of Object.entries(own)) counts[name as keyof ModelCounts] += count;
    }
    const made = isWritten(counts);
    if (!made && (!isAgain || undo.kept.length >= keptBefore)) before();
    return { counts, made, refused };
  }

  /** Returns a function that takes everything back that happens from now on. */
  #saved(undo: ModelChange): () => void {
    const leads = this.leads.map((lead) => ({
      lead,
      ...lead,
      fields: { ...lead.fields },
      log: [...lead.log],
    }));
    const all = new Set([...this.changes, undo]);
    const changes = [...all].map((change) => {
      const { undoneBy, importUndo } = change;
      const copies = {
        ...{ kept: [...change.kept], parts: [...change.parts], undid: [...change.undid] },
        ...{ withdrawn: [...change.withdrawn], merges: [...change.merges] },
      };
      return {
        change,
        undoneBy,
        importUndo: importUndo === undefined ? undefined : { ...importUndo },
        ...copies,
      };
    });
    const merges = new Set([...all].flatMap((change) => change.merges.map(({ of }) => of)));
    const states = [...merges].map((of) => ({ of, ...of }));
    return () => {
      for (const { lead, ...state } of leads) Object.assign(lead, state);
      for (const { change, ...state } of changes) Object.assign(change, state);
      for (const { of, ...state } of states) Object.assign(of, state);
    };
  }

  /** Takes a part of a change back; false if that is refused. */
  #undoPart(what: Pick<Taking, "change" | "part" | "undo" | "counts">, again: boolean): boolean {
    const { change, part, undo } = what;
    const earlier = undo.kept.filter((each) => each.of === change && each.part === part);
    const only = again ? new Map(earlier.map(({ record, fields }) => [record, fields])) : undefined;
    const taking: Taking = { ...what, own: this.#part, only };
    const merge = change.merges.find((each) => each.part === part);
    if (merge === undefined) this.#undoLeads(taking);
    else if (!this.#undoMerge(merge, taking)) return false;
    if (change.importUndo !== undefined)
      change.importUndo.left = undo.kept.filter(({ of }) => of === change).length;
    return true;
  }

  /** Remembers what is kept of a lead, in the place of what was kept of it before. */
  #keep(
    { change, part, undo, counts }: Taking,
    lead: ModelLead,
    fields: ReadonlySet<string | null>,
    hasWritten = false,
  ): void {
    const isIts = (each: Kept<ModelChange>) =>
      each.of === change && each.part === part && each.record === lead.id;
    const written = hasWritten || undo.kept.some((each) => isIts(each) && each.written);
    undo.kept = undo.kept.filter((each) => !isIts(each));
    if (fields.size === 0) return;
    undo.kept.push({ of: change, part, record: lead.id, fields, written });
    counts.kept += 1;
  }

  /** Separates two leads or joins them again; returns whether that is possible. */
  #undoMerge({ of, did }: ModelChange["merges"][number], taking: Taking): boolean {
    const { undo, only, counts, own } = taking;
    const { winner, loser } = of;
    if (only !== undefined) {
      if (did === "joined" && only.has(winner.id)) this.#putRest(of, taking);
      return true;
    }
    if (winner.mergedInto !== undefined || winner.deleted) return false;
    if (did === "separated") {
      if (!of.undone || loser.mergedInto !== undefined || loser.deleted) return false;
      Object.assign(of, { fields: this.#join(undo, winner, loser, of.prefer), change: undo, undone: false });
      undo.merges.push({ of, did: "joined", part: own });
      counts.put_back += 1;
      return true;
    }
    if (of.undone) return false;
    const { back, kept } = this.#mergePlan(of, taking);
    const first = this.holder(back.external_id);
    const second = this.holder(loser.fields.external_id);
    if (first !== undefined && first !== winner) return false;
    if (second !== undefined && (second !== winner || !("external_id" in back))) return false;
    this.set(undo, winner, back);
    loser.mergedInto = undefined;
    const parts = this.leads.filter((lead) => lead === loser || isMergedInto(lead, loser));
    loser.log.push(...winner.log.filter(({ home }) => parts.includes(home)));
    winner.log = winner.log.filter(({ home }) => !parts.includes(home));
    of.undone = true;
    undo.merges.push({ of, did: "separated", part: own });
    counts.put_back += 1;
    counts.restored += 1;
    this.#keep(taking, winner, kept);
    return true;
  }

  #mergePlan({ winner, fields }: ModelMerge, { change, part, only }: Taking): Plan {
    const own = winner.log.filter((entry) => isOf(entry, change, part) && entry.home === winner);
    const last = Math.max(0, ...own.map(({ seq }) => seq));
    const plan: Plan = { lead: winner, op: "none", back: {}, kept: new Set(), whole: false, timeline: false };
    const steps = [...fields].map(([field, step]) => ({ field, ...step, seq: last }));
    return this.#planFields(plan, steps, this.#others(winner, change, undefined), only?.get(winner.id));
  }

  #putRest(of: ModelMerge, taking: Taking): void {
    const { winner } = of;
    const isAbsent = winner.deleted || winner.mergedInto !== undefined;
    if (!of.undone || isAbsent) {
      this.#keep(taking, winner, (of.undone ? taking.only?.get(winner.id) : undefined) ?? new Set());
      return;
    }
    const { back, kept } = this.#mergePlan(of, taking);
    const holder = this.holder(back.external_id);
    if (holder !== undefined) {
      delete back.external_id;
      kept.add("external_id");
    }
    if (Object.keys(back).length > 0) {
      this.set(taking.undo, winner, back);
      taking.counts.put_back += 1;
    }
    this.#keep(taking, winner, kept);
  }

  #undoLeads(taking: Taking): void {
    const { change, undo, only, counts } = taking;
    const plans = this.leads
      .filter(({ id }) => only === undefined || only.has(id))
      .flatMap((lead) => this.#plan(lead, taking, only?.get(lead.id)) ?? []);
    const done = new Map<ModelLead, "put_back" | "deleted" | "restored">();
    const of = (op: Plan["op"]) => plans.filter((plan) => plan.op === op);
    for (const { lead } of of("delete")) {
      this.delete(undo, lead, true);
      done.set(lead, "deleted");
    }
    this.#refuseTaken([...of("restore"), ...of("set")]);
    for (const { lead, kept } of of("restore")) {
      if (kept.has(null)) continue;
      this.delete(undo, lead, false);
      done.set(lead, "restored");
    }
    for (const { lead, back } of of("set")) {
      if (Object.keys(back).length === 0) continue;
      this.set(undo, lead, back);
      done.set(lead, "put_back");
    }
    if (change.isImport && change.importUndo?.by !== undo)
      change.importUndo = { by: undo, deleted: 0, restored: 0, left: 0 };
    for (const { lead, kept, whole, timeline } of plans) {
      const outcome = done.get(lead);
      const isFirst = !undo.kept.some(
        (each) => each.of === change && each.record === lead.id && each.written,
      );
      if (outcome !== undefined) counts[outcome] += 1;
      if (change.importUndo !== undefined && outcome === "deleted") change.importUndo.deleted += 1;
      if (change.importUndo !== undefined && outcome === "put_back" && isFirst)
        change.importUndo.restored += 1;
      const isTaking = whole && timeline && lead.mergedInto === undefined && outcome !== "deleted";
      const isWithdrawn = isTaking && this.#undoEvents(lead, taking);
      if (isWithdrawn && outcome === undefined) counts.withdrawn += 1;
      this.#keep(taking, lead, kept, isWithdrawn || outcome !== undefined);
    }
    for (const id of only?.keys() ?? [])
      if (plans.every(({ lead }) => lead.id !== id))
        this.#keep(taking, this.leads.find((lead) => lead.id === id) as ModelLead, new Set());
  }

  /** Keeps external ids that another lead has and does not give up. Of two leads that would get one, the first gets it. */
  #refuseTaken(plans: readonly Plan[]): void {
    const wanted = ({ op, lead, back }: Plan) =>
      op === "restore" ? lead.fields.external_id : back.external_id;
    const claims = plans.filter((plan) => typeof wanted(plan) === "string");
    const isGivenUp = (holder: ModelLead) =>
      plans.some(({ lead, back }) => lead === holder && back.external_id === null);
    const byId = [...claims].sort((a, b) => (a.lead.id < b.lead.id ? -1 : 1));
    let met = byId.filter((plan) => byId.find((other) => wanted(other) === wanted(plan)) === plan);
    for (let size = -1; size !== met.length; ) {
      size = met.length;
      met = met.filter((plan) => {
        const holder = this.holder(wanted(plan));
        if (holder === undefined || holder === plan.lead || isGivenUp(holder)) return true;
        return met.some(({ lead }) => lead === holder);
      });
    }
    for (const plan of claims) {
      if (met.includes(plan)) continue;
      delete plan.back.external_id;
      plan.kept.add(plan.op === "restore" ? null : "external_id");
    }
  }

  /** Withdraws the events of a lead that a change recorded, and brings back those that it withdrew. */
  #undoEvents(lead: ModelLead, { change, undo, own }: Taking): boolean {
    const gone = lead.log.filter(
      (entry) => entry.change === change && entry.home === lead && entry.what === "event",
    );
    const back = change.withdrawn.filter(({ home }) => home === lead);
    lead.log = lead.log.filter((entry) => !gone.includes(entry));
    for (const { event = 0 } of gone) undo.withdrawn.push({ home: lead, event, part: own });
    const missing = back.filter(({ event }) => lead.log.every((entry) => entry.event !== event));
    for (const { event } of missing) this.#note(lead, undo, { what: "event", event });
    return gone.length + missing.length > 0;
  }

  /** What others did to a lead since a change began, and still stands. */
  #others(lead: ModelLead, change: ModelChange, what: "event" | undefined): Entry[] {
    return lead.log.filter(
      (entry) =>
        entry.change !== change &&
        entry.home === lead &&
        entry.seq > change.begun &&
        (entry.what === "event"
          ? what === "event"
          : isDecision(entry.change, lead.id, entry.field ?? (entry.what === "merged" ? "merged" : null))),
    );
  }

  /** Decides about a lead; undefined if the change did nothing to it. */
  #plan(
    lead: ModelLead,
    { change, part }: Taking,
    only: ReadonlySet<string | null> | undefined,
  ): Plan | undefined {
    const all = this.leads.flatMap(({ log }) => log);
    const own = all.filter((entry) => isOf(entry, change, part) && entry.home === lead);
    const isWithdrawn = change.withdrawn.some(
      (each) => each.home === lead && (part === undefined || each.part === part),
    );
    if (own.length === 0 && !isWithdrawn) return undefined;
    const whole = only === undefined || only.has(null);
    const timeline = isWithdrawn || own.some(({ what }) => what === "event");
    const plan: Plan = { lead, op: "none", back: {}, kept: new Set(), whole, timeline };
    const keep = (): Plan => ({ ...plan, kept: new Set(whole ? [null] : only) });
    const presence = own.filter(({ what }) => ["created", "deleted", "restored"].includes(what));
    const steps = stepsOf(own).filter(({ field }) => whole || only.has(field));
    const was = whole ? before(presence[0]) : undefined;
    const isSame = was === after(presence.at(-1));
    const isChanged = (was !== undefined && !isSame) || steps.length > 0;
    if (!isChanged && !timeline) return plan;
    if (lead.mergedInto !== undefined) return keep();
    if (!isChanged) return plan;
    const others = this.#others(lead, change, undefined);
    const last = Math.max(0, ...own.map(({ seq }) => seq));
    const later = others.filter(({ seq }) => seq > last);
    if (was !== undefined && !isSame) {
      if (was === "there") {
        if (!lead.deleted) return plan;
        const again = later.some(({ what }) => what === "deleted" || what === "restored");
        return again ? keep() : { ...plan, op: "restore" };
      }
      if (lead.deleted) return plan;
      const events = this.#others(lead, change, "event").filter(({ what }) => what === "event");
      const isTouched = was === "none" ? others.length + events.length > 0 : later.length > 0;
      return isTouched ? keep() : { ...plan, op: "delete" };
    }
    return lead.deleted ? keep() : this.#planFields(plan, steps, others, only);
  }

  #planFields(
    plan: Plan,
    steps: readonly (Step & { field: string; seq: number })[],
    others: readonly Entry[],
    only: ReadonlySet<string | null> | undefined,
  ): Plan {
    const { lead, back, kept } = plan;
    for (const { field, seq, ...step } of steps) {
      if (only !== undefined && !only.has(null) && !only.has(field)) continue;
      const now = lead.fields[field];
      const since = others.filter((entry) => entry.field === field && entry.seq > seq);
      if (same(now, step.from)) continue;
      if (since.length === 0 && same(now, step.to)) back[field] = step.from;
      else if (Array.isArray(now)) {
        const list = withoutDifference(now, step, since);
        if (!same(list, now)) back[field] = list;
      } else kept.add(field);
    }
    if (Object.keys(back).length > 0) plan.op = "set";
    return plan;
  }
}

const isOf = (entry: Entry, change: ModelChange, part: object | undefined): boolean =>
  entry.change === change && (part === undefined || entry.part === part || entry.what === "event");

const before = (entry: Entry | undefined): "none" | "deleted" | "there" | undefined =>
  entry === undefined
    ? undefined
    : ({ created: "none", restored: "deleted", deleted: "there" } as const)[entry.what as "created"];

const after = (entry: Entry | undefined): "deleted" | "there" | undefined =>
  entry === undefined ? undefined : entry.what === "deleted" ? "deleted" : "there";

/** By field, what a change did since somebody else last wrote it. */
function stepsOf(own: readonly Entry[]): (Step & { field: string; seq: number })[] {
  const steps = new Map<string, Step & { seq: number }>();
  for (const { what, field = "", from, to, seq } of [...own].sort((a, b) => a.seq - b.seq)) {
    if (what !== "field") continue;
    const former = steps.get(field);
    steps.set(field, { from: former !== undefined && same(former.to, from) ? former.from : from, to, seq });
  }
  return [...steps].flatMap(([field, step]) => (same(step.from, step.to) ? [] : [{ field, ...step }]));
}

function isMergedInto(lead: ModelLead, other: ModelLead): boolean {
  const into = lead.mergedInto;
  return into !== undefined && (into === other || isMergedInto(into, other));
}

/** Removes what was added and adds what was removed, except where a later change did that again. */
function withoutDifference(now: readonly unknown[], step: Step, since: readonly Entry[]): unknown[] {
  const [from, to] = [step.from as unknown[], step.to as unknown[]];
  const again = (what: "added" | "removed", item: unknown) =>
    since.some((entry) => {
      const [was, is] = [entry.from as unknown[], entry.to as unknown[]];
      return what === "added"
        ? is.includes(item) && !was.includes(item)
        : was.includes(item) && !is.includes(item);
    });
  const added = to.filter((item) => !from.includes(item) && !again("added", item));
  const removed = from.filter((item) => !to.includes(item) && !now.includes(item) && !again("removed", item));
  return [...now.filter((item) => !added.includes(item)), ...removed];
}
