import type { Difference } from "../../data/differences.ts";

type Row = Record<string, unknown>;

/** One thing that was written, as a person would say it. */
export interface Write {
  /** lead.changed, event.added, view.created, … */
  what: string;
  /** The id of the record, and of the lead if it belongs to one. */
  id: string;
  lead?: string;
  /** The fields that changed; for new records all that have a value. */
  fields: Row;
  /** For a new view: the ids of the leads that it shows. */
  shows?: readonly string[];
}

/** Records in tables that are not checked by themselves: what was written is seen elsewhere. */
const ACCOMPANYING = new Set(["change", "job", "merge"]);

const NOUNS: Record<string, string> = {
  saved_view: "view",
  dataset_row: "row",
  custom_field: "field",
};

/** Returns what was written, without what follows from it: events of the service, and timelines of merged leads. */
export function writesOf(differences: readonly Difference[]): Write[] {
  const merged = new Set(
    differences.flatMap(({ table, before, after }) =>
      table === "lead" && before?.merged_into_id !== after?.merged_into_id
        ? [before?.merged_into_id, after?.merged_into_id]
        : [],
    ),
  );
  return differences
    .filter(({ table }) => !ACCOMPANYING.has(table))
    .flatMap((difference) => {
      if (difference.table === "lead") return leadWrites(difference, merged);
      if (difference.table === "event") return eventWrites(difference);
      return [plainWrite(difference)];
    });
}

function leadWrites({ before, after }: Difference, merged: ReadonlySet<unknown>): Write[] {
  const id = String((after ?? before)?.id);
  if (before === null) {
    // Created and deleted again: nobody sees it.
    return after === null || after.deleted_at !== null
      ? []
      : [{ what: "lead.created", id, lead: id, fields: present(after) }];
  }
  if (after === null) return [{ what: "lead.erased", id, lead: id, fields: {} }];
  const changed = changedFields(before, after);
  if (before.merged_into_id !== after.merged_into_id) {
    const what = after.merged_into_id === null ? "lead.unmerged" : "lead.merged";
    return [{ what, id, lead: id, fields: { into: after.merged_into_id ?? before.merged_into_id } }];
  }
  if ((before.deleted_at === null) !== (after.deleted_at === null)) {
    const what = after.deleted_at === null ? "lead.restored" : "lead.deleted";
    const { deleted_at: _, ...others } = changed;
    const rest = Object.keys(others).length === 0 ? [] : [changedLead(id, others)];
    return [{ what, id, lead: id, fields: {} }, ...rest];
  }
  // The surviving lead of a merge takes over what the other one had.
  if (merged.has(id)) return [];
  return [changedLead(id, changed)];
}

const changedLead = (id: string, fields: Row): Write => ({ what: "lead.changed", id, lead: id, fields });

function eventWrites({ before, after }: Difference): Write[] {
  const row = after ?? before ?? {};
  if (String(row.type).startsWith("lead.")) return [];
  const { id, lead_id: lead, type, title, data, occurred_at, source } = row as Record<string, string>;
  const what = before === null ? "event.added" : after === null ? "event.removed" : "event.changed";
  if (before !== null && after !== null) {
    const moved = Object.keys(changedFields(before, after));
    if (moved.every((field) => field === "lead_id" || field === "merged_from")) return [];
  }
  return [
    { what, id: String(id), lead: String(lead), fields: present({ type, title, data, occurred_at, source }) },
  ];
}

function plainWrite({ table, before, after }: Difference): Write {
  const row = after ?? before ?? {};
  const what = before === null ? "created" : after === null ? "deleted" : "changed";
  const fields = before === null ? present(row) : after === null ? {} : changedFields(before, after);
  return {
    what: `${NOUNS[table] ?? table}.${what}`,
    id: String(row.id ?? row.key ?? row.person_id ?? ""),
    fields,
  };
}

const changedFields = (before: Row, after: Row): Row =>
  Object.fromEntries(
    Object.entries(after).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field])),
  );

const present = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
