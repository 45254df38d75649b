import { isDecision, type Marked, ModelChanges, type ModelCounts, noCounts } from "./model-changes.ts";

/** A change as the model knows it. */
export interface ModelChange extends Marked<ModelChange> {
  /** Events that it took off timelines, and whose they were. */
  withdrawn: { home: ModelLead; event: number }[];
  /** The merge that it made, or took back. */
  merge: { of: ModelMerge; did: "joined" | "separated" } | undefined;
  /** Undoing it is a job. */
  isImport: boolean;
  /** Stands for the time when it began. */
  begun: number;
}

/** Two leads that are one, or were. */
interface ModelMerge {
  winner: ModelLead;
  loser: ModelLead;
  fields: ReadonlyMap<string, Step>;
  /** The change that joined them last. */
  change: ModelChange;
  undone: boolean;
}

interface Step {
  from: unknown;
  to: unknown;
}

interface Entry extends Partial<Step> {
  seq: number;
  change: ModelChange;
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
interface ModelUndo {
  counts: ModelCounts | undefined;
  made: boolean;
}

/** What is to be done with a lead. */
interface Plan {
  lead: ModelLead;
  op: "none" | "delete" | "restore" | "set";
  back: Record<string, unknown>;
  kept: boolean;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What changes and undos mean, written as plainly as possible: a log of each lead, and no database. */
export class HistoryModel extends ModelChanges<ModelChange> {
  readonly leads: ModelLead[] = [];
  #seq = 0;

  begin(author: number, more: Partial<ModelChange> = {}): ModelChange {
    const nothing = { undoes: undefined, undoneBy: undefined, merge: undefined, isImport: false };
    this.#seq += 1;
    return { id: "", author, begun: this.#seq, ...nothing, withdrawn: [], ...more };
  }

  protected get logs() {
    return this.leads.map(({ log }) => log);
  }

  /** Leads that callers see. */
  get alive(): ModelLead[] {
    return this.leads.filter(({ deleted, mergedInto }) => !deleted && mergedInto === undefined);
  }

  /** The lead that has an external id. */
  holder = (externalId: unknown): ModelLead | undefined =>
    externalId === null
      ? undefined
      : this.alive.find(({ fields: { external_id: own } }) => own === externalId);

  /** The leads that an upsert by an external id finds: its holder, or those that leads which had it were merged into. */
  found(externalId: string): { leads: ModelLead[]; merged: boolean } {
    const holder = this.holder(externalId);
    if (holder !== undefined) return { leads: [holder], merged: false };
    const were = this.leads.filter(
      ({ deleted, mergedInto, fields }) =>
        !deleted && mergedInto !== undefined && fields.external_id === externalId,
    );
    const survivors = were.map(survivorOf).filter(({ deleted }) => !deleted);
    return { leads: [...new Set(survivors)], merged: true };
  }

  #note(lead: ModelLead, change: ModelChange, entry: Omit<Entry, "seq" | "change" | "home">): void {
    this.#seq += 1;
    lead.log.push({ seq: this.#seq, change, home: lead, ...entry });
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
  merge(change: ModelChange, winner: ModelLead, loser: ModelLead): void {
    const fields = this.#join(change, winner, loser);
    change.merge = { of: { winner, loser, fields, change, undone: false }, did: "joined" };
  }

  #join(change: ModelChange, winner: ModelLead, loser: ModelLead): Map<string, Step> {
    const taken = Object.entries(loser.fields).map(([field, other]) => {
      const own = winner.fields[field];
      if (field === "created_at") return [field, Math.min(Number(own), Number(other))];
      return [field, Array.isArray(own) ? [...new Set([...own, ...(other as unknown[])])] : (own ?? other)];
    });
    loser.mergedInto = winner;
    const fields = this.set(change, winner, Object.fromEntries(taken));
    this.#note(winner, change, { what: "merged" });
    winner.log.push(...loser.log.splice(0));
    return fields;
  }

  /** Takes a change back. */
  undo(change: ModelChange, undo: ModelChange): ModelUndo {
    const counts = noCounts();
    if (change.merge === undefined) this.#undoLeads(change, undo, counts);
    else if (!this.#undoMerge(change.merge, undo, counts)) return { counts: undefined, made: false };
    const made = counts.put_back + counts.deleted + counts.restored + counts.withdrawn > 0;
    if (made) this.markUndone(change, undo);
    return { counts, made };
  }

  /** Separates two leads or joins them again; returns whether that is possible. */
  #undoMerge(
    { of, did }: NonNullable<ModelChange["merge"]>,
    undo: ModelChange,
    counts: ModelCounts,
  ): boolean {
    const { winner, loser } = of;
    if (winner.mergedInto !== undefined || winner.deleted) return false;
    if (did === "separated") {
      if (!of.undone || loser.mergedInto !== undefined || loser.deleted) return false;
      Object.assign(of, { fields: this.#join(undo, winner, loser), change: undo, undone: false });
      undo.merge = { of, did: "joined" };
      counts.put_back = 1;
      return true;
    }
    if (of.undone) return false;
    const own = winner.log.filter(({ change, home }) => change === of.change && home === winner);
    const later = laterThan(winner, own, of.change);
    const back: Record<string, unknown> = {};
    for (const [field, step] of of.fields) {
      const since = later.filter((entry) => entry.field === field);
      const now = winner.fields[field];
      const stands = since.length === 0 && same(now, step.to);
      if (!stands) counts.kept = 1;
      if (stands) back[field] = step.from;
      else if (Array.isArray(now)) back[field] = withoutDifference(now, step, since);
    }
    const first = this.holder(back.external_id ?? null);
    const second = this.holder(loser.fields.external_id);
    if (first !== undefined && first !== winner) return false;
    if (second !== undefined && (second !== winner || !("external_id" in back))) return false;
    this.set(undo, winner, back);
    loser.mergedInto = undefined;
    const parts = this.leads.filter((lead) => lead === loser || isMergedInto(lead, loser));
    loser.log.push(...winner.log.filter(({ home }) => parts.includes(home)));
    winner.log = winner.log.filter(({ home }) => !parts.includes(home));
    of.undone = true;
    undo.merge = { of, did: "separated" };
    Object.assign(counts, { put_back: 1, restored: 1 });
    return true;
  }

  #undoLeads(change: ModelChange, undo: ModelChange, counts: ModelCounts): void {
    const plans = this.leads.flatMap((lead) => this.#plan(lead, change) ?? []);
    const done = new Set<ModelLead>();
    const of = (op: Plan["op"]) => plans.filter((plan) => plan.op === op);
    for (const { lead } of of("delete")) {
      this.delete(undo, lead, true);
      counts.deleted += 1;
      done.add(lead);
    }
    for (const plan of of("restore"))
      if (this.holder(plan.lead.fields.external_id) !== undefined) plan.kept = true;
      else {
        this.delete(undo, plan.lead, false);
        counts.restored += 1;
        done.add(plan.lead);
      }
    for (const plan of of("set")) {
      const { lead, back } = plan;
      const holder = this.holder(back.external_id ?? null);
      if (holder !== undefined && holder !== lead) {
        delete back.external_id;
        plan.kept = true;
      }
      if (Object.keys(back).length === 0) continue;
      this.set(undo, lead, back);
      counts.put_back += 1;
      done.add(lead);
    }
    counts.kept = plans.filter(({ kept }) => kept).length;
    for (const { lead } of plans) {
      if (lead.mergedInto !== undefined || of("delete").some((plan) => plan.lead === lead)) continue;
      if (this.#undoEvents(lead, change, undo) && !done.has(lead)) counts.withdrawn += 1;
    }
  }

  /** Withdraws the events of a lead that a change recorded, and brings back those that it withdrew. */
  #undoEvents(lead: ModelLead, change: ModelChange, undo: ModelChange): boolean {
    const gone = lead.log.filter(
      (entry) => entry.change === change && entry.home === lead && entry.what === "event",
    );
    const back = change.withdrawn.filter(({ home }) => home === lead);
    lead.log = lead.log.filter((entry) => !gone.includes(entry));
    for (const { event = 0 } of gone) undo.withdrawn.push({ home: lead, event });
    const missing = back.filter(({ event }) => lead.log.every((entry) => entry.event !== event));
    for (const { event } of missing) this.#note(lead, undo, { what: "event", event });
    return gone.length + missing.length > 0;
  }

  /** Decides about a lead; undefined if the change did nothing to it. */
  #plan(lead: ModelLead, change: ModelChange): Plan | undefined {
    const all = this.leads.flatMap(({ log }) => log);
    const own = all.filter((entry) => entry.change === change && entry.home === lead);
    const hasBack = change.withdrawn.some(({ home }) => home === lead);
    if (own.length === 0 && !hasBack) return undefined;
    const plan: Plan = { lead, op: "none", back: {}, kept: false };
    if (lead.mergedInto !== undefined) return { ...plan, kept: true };
    const has = (what: Entry["what"]) => own.some((entry) => entry.what === what);
    const later = laterThan(lead, own, change);
    const others = lead.log.filter(
      (entry) => entry.change !== change && entry.home === lead && stands(entry),
    );
    if (has("created")) {
      if (lead.deleted) return plan;
      return others.length > 0 ? { ...plan, kept: true } : { ...plan, op: "delete" };
    }
    if (has("restored")) {
      if (lead.deleted) return plan;
      return later.length > 0 ? { ...plan, kept: true } : { ...plan, op: "delete" };
    }
    if (has("deleted")) {
      if (!lead.deleted) return plan;
      const again = later.some(({ what }) => what === "deleted" || what === "restored");
      return again ? { ...plan, kept: true } : { ...plan, op: "restore" };
    }
    return this.#planFields(plan, own, later);
  }

  #planFields(plan: Plan, own: readonly Entry[], later: readonly Entry[]): Plan {
    const { lead, back } = plan;
    const fields = new Map<string, Step>();
    for (const { what, field = "", from, to } of own)
      if (what === "field")
        fields.set(field, { from: fields.has(field) ? fields.get(field)?.from : from, to });
    const changed = [...fields].filter(([, { from, to }]) => !same(from, to));
    if (changed.length === 0) return plan;
    if (lead.deleted) return { ...plan, kept: true };
    for (const [field, step] of changed) {
      const now = lead.fields[field];
      const since = later.filter((entry) => entry.field === field);
      if (same(now, step.from)) continue;
      if (since.length === 0 && same(now, step.to)) back[field] = step.from;
      else if (Array.isArray(now)) {
        const list = withoutDifference(now, step, since);
        if (!same(list, now)) back[field] = list;
      } else plan.kept = true;
    }
    if (Object.keys(back).length > 0) plan.op = "set";
    return plan;
  }
}

const survivorOf = (lead: ModelLead): ModelLead =>
  lead.mergedInto === undefined ? lead : survivorOf(lead.mergedInto);

function isMergedInto(lead: ModelLead, other: ModelLead): boolean {
  const into = lead.mergedInto;
  return into !== undefined && (into === other || isMergedInto(into, other));
}

/** What others did to a lead after a change last touched it, and still stands. */
const laterThan = (lead: ModelLead, own: readonly Entry[], change: ModelChange): Entry[] => {
  const last = Math.max(0, ...own.map(({ seq }) => seq));
  return lead.log.filter(
    (entry) =>
      entry.change !== change &&
      entry.home === lead &&
      entry.seq > last &&
      entry.what !== "event" &&
      stands(entry),
  );
};

const stands = ({ what, change }: Entry): boolean => what === "event" || isDecision(change);

/** Removes what was added and adds what was removed, except where a later change did that again. */
function withoutDifference(now: readonly unknown[], step: Step, since: readonly Entry[]): unknown[] {
  const [from, to] = [step.from as unknown[], step.to as unknown[]];
  const again = (what: "added" | "removed", item: unknown) =>
    since.some((entry) => {
      const [before, after] = [entry.from as unknown[], entry.to as unknown[]];
      return what === "added"
        ? after.includes(item) && !before.includes(item)
        : before.includes(item) && !after.includes(item);
    });
  const added = to.filter((item) => !from.includes(item) && !again("added", item));
  const removed = from.filter((item) => !to.includes(item) && !now.includes(item) && !again("removed", item));
  return [...now.filter((item) => !added.includes(item)), ...removed];
}
