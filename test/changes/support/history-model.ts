/** A change as the model knows it. */
export interface ModelChange {
  /** The id that the service gave it. */
  id: string;
  author: number;
  undoes: ModelChange | undefined;
  undoneBy: ModelChange | undefined;
  /** Events that it took off timelines. */
  withdrawn: { lead: ModelLead; count: number }[];
}

interface Entry {
  seq: number;
  change: ModelChange;
  what: "created" | "field" | "deleted" | "restored" | "event";
  field?: string;
  from?: unknown;
  to?: unknown;
}

export interface ModelLead {
  id: string;
  fields: Record<string, unknown>;
  deleted: boolean;
  log: Entry[];
}

export interface ModelCounts {
  put_back: number;
  deleted: number;
  restored: number;
  withdrawn: number;
  kept: number;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What changes and undos mean, written as plainly as possible: a log of each lead, and no database. */
export class HistoryModel {
  readonly leads: ModelLead[] = [];
  readonly changes: ModelChange[] = [];
  #seq = 0;

  begin(author: number, undoes?: ModelChange): ModelChange {
    return { id: "", author, undoes, undoneBy: undefined, withdrawn: [] };
  }

  /** Keeps a change that wrote something. */
  end(change: ModelChange, id: string): void {
    change.id = id;
    this.changes.push(change);
  }

  #note(lead: ModelLead, change: ModelChange, entry: Omit<Entry, "seq" | "change">): void {
    this.#seq += 1;
    lead.log.push({ seq: this.#seq, change, ...entry });
  }

  create(change: ModelChange, id: string, fields: Record<string, unknown>): ModelLead {
    const lead: ModelLead = { id, fields: { ...fields }, deleted: false, log: [] };
    this.#note(lead, change, { what: "created" });
    this.leads.push(lead);
    return lead;
  }

  set(change: ModelChange, lead: ModelLead, fields: Record<string, unknown>): void {
    for (const [field, to] of Object.entries(fields)) {
      const from = lead.fields[field];
      if (same(from, to)) continue;
      lead.fields[field] = to;
      this.#note(lead, change, { what: "field", field, from, to });
    }
  }

  delete(change: ModelChange, lead: ModelLead, deleted: boolean): void {
    if (lead.deleted === deleted) return;
    lead.deleted = deleted;
    this.#note(lead, change, { what: deleted ? "deleted" : "restored" });
  }

  event(change: ModelChange, lead: ModelLead): void {
    this.#note(lead, change, { what: "event" });
  }

  /** Takes a change back; returns what that did, and whether anything was. */
  undo(change: ModelChange, undo: ModelChange): { counts: ModelCounts; made: boolean } {
    const counts: ModelCounts = { put_back: 0, deleted: 0, restored: 0, withdrawn: 0, kept: 0 };
    for (const lead of this.leads) {
      const own = lead.log.filter((entry) => entry.change === change);
      const back = change.withdrawn.filter((each) => each.lead === lead);
      if (own.length > 0 || back.length > 0) this.#undoLead(lead, own, undo, counts);
      for (const { count } of back) for (let n = 0; n < count; n += 1) this.event(undo, lead);
      if (back.length > 0 && own.length === 0) counts.withdrawn += 1;
    }
    const made = counts.put_back + counts.deleted + counts.restored + counts.withdrawn > 0;
    if (made) {
      change.undoneBy = undo;
      if (change.undoes !== undefined) change.undoes.undoneBy = undefined;
    }
    return { counts, made };
  }

  #undoLead(lead: ModelLead, own: readonly Entry[], undo: ModelChange, counts: ModelCounts): void {
    const change = own[0]?.change;
    const others = lead.log.filter((entry) => entry.change !== change && stands(entry));
    const last = Math.max(0, ...own.map(({ seq }) => seq));
    const later = others.filter(({ seq, what }) => seq > last && what !== "event");
    const has = (what: Entry["what"]) => own.some((entry) => entry.what === what);
    const events = own.filter(({ what }) => what === "event");
    if (has("created")) {
      if (lead.deleted) return;
      if (others.length > 0) counts.kept += 1;
      else {
        this.delete(undo, lead, true);
        counts.deleted += 1;
        return;
      }
    } else if (has("restored")) {
      if (!lead.deleted && later.length > 0) counts.kept += 1;
      else if (!lead.deleted) {
        this.delete(undo, lead, true);
        counts.deleted += 1;
      }
    } else if (has("deleted")) {
      if (lead.deleted && later.some(({ what }) => what === "deleted" || what === "restored"))
        counts.kept += 1;
      else if (lead.deleted) {
        this.delete(undo, lead, false);
        counts.restored += 1;
      }
    } else this.#undoFields(lead, own, later, { undo, counts });
    if (events.length > 0) {
      lead.log = lead.log.filter((entry) => !events.includes(entry));
      undo.withdrawn.push({ lead, count: events.length });
      counts.withdrawn += 1;
    }
  }

  #undoFields(
    lead: ModelLead,
    own: readonly Entry[],
    later: readonly Entry[],
    { undo, counts }: { undo: ModelChange; counts: ModelCounts },
  ): void {
    const fields = new Map<string, { from: unknown; to: unknown }>();
    for (const { what, field = "", from, to } of own)
      if (what === "field")
        fields.set(field, { from: fields.has(field) ? fields.get(field)?.from : from, to });
    const changed = [...fields].filter(([, { from, to }]) => !same(from, to));
    if (changed.length === 0) return;
    if (lead.deleted) {
      counts.kept += 1;
      return;
    }
    const back: Record<string, unknown> = {};
    let kept = false;
    for (const [field, { from, to }] of changed) {
      const now = lead.fields[field];
      const since = later.filter((entry) => entry.field === field);
      if (same(now, from)) continue;
      if (since.length === 0 && same(now, to)) back[field] = from;
      else if (Array.isArray(now)) {
        const list = withoutDifference(now, from as string[], to as string[], since);
        if (!same(list, now)) back[field] = list;
      } else kept = true;
    }
    if (Object.keys(back).length > 0) counts.put_back += 1;
    if (kept) counts.kept += 1;
    this.set(undo, lead, back);
  }
}

const stands = ({ what, change }: Entry): boolean =>
  what === "event" || (change.undoes === undefined && change.undoneBy === undefined);

/** Removes what was added and adds what was removed, except where a later change did that again. */
function withoutDifference(
  now: readonly string[],
  from: readonly string[],
  to: readonly string[],
  since: readonly Entry[],
): string[] {
  const again = (what: "added" | "removed", item: string) =>
    since.some((entry) => {
      const [before, after] = [entry.from as string[], entry.to as string[]];
      return what === "added"
        ? after.includes(item) && !before.includes(item)
        : before.includes(item) && !after.includes(item);
    });
  const added = to.filter((item) => !from.includes(item) && !again("added", item));
  const removed = from.filter((item) => !to.includes(item) && !now.includes(item) && !again("removed", item));
  return [...now.filter((item) => !added.includes(item)), ...removed];
}
