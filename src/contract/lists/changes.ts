/** The kinds of changes: what one call, job or command did to a project's data. */
export const CHANGE_KINDS = [
  "lead.create",
  "lead.update",
  "lead.upsert",
  "lead.delete",
  "lead.restore",
  "lead.merge",
  "lead.erase",
  "person.erase",
  "bulk",
  "event.add",
  "import",
  "row.write",
  "row.delete",
  "dataset.create",
  "dataset.update",
  "dataset.delete",
  "field.create",
  "field.update",
  "field.delete",
  "statuses.set",
  "untracked_fields.set",
  "view.create",
  "view.update",
  "view.delete",
  "phones.read",
  "undo",
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * Kinds that cannot be undone: what they removed is gone, or is not a person's decision. A dataset's rows are deleted with
 * it, and its columns are changed back by hand, since rows may not fit the former ones.
 */
export const FINAL_KINDS: readonly ChangeKind[] = [
  "lead.erase",
  "person.erase",
  "phones.read",
  "dataset.create",
  "dataset.update",
  "dataset.delete",
];

/** Where a change came from. */
export const SURFACES = ["api", "mcp", "panel", "cli", "service"] as const;

export type Surface = (typeof SURFACES)[number];

/** What the counts of a change count. */
export const CHANGE_COUNTS = [
  "leads_created",
  "leads_updated",
  "leads_deleted",
  "leads_restored",
  "leads_merged",
  "leads_separated",
  "leads_erased",
  "events_added",
  "events_withdrawn",
  "rows_created",
  "rows_updated",
  "rows_deleted",
  "fields_changed",
  "views_changed",
  "kept",
] as const;

export type ChangeCount = (typeof CHANGE_COUNTS)[number];

/** What an undo does to a record: former values, a created one deleted, a deleted one restored, its events withdrawn, or nothing. */
export const UNDO_OUTCOMES = ["put_back", "deleted", "restored", "withdrawn", "kept"] as const;

export type UndoOutcome = (typeof UNDO_OUTCOMES)[number];

/** Why an undo left a field or a record alone. */
export const KEPT_REASONS = [
  // another change has set it since
  "changed_since",
  // a created lead got events since
  "has_events",
  "deleted",
  "merged",
  // erased, or a row that was deleted
  "gone",
  // another record has the external id or the unique value by now
  "taken",
  // the value does not fit the field or column any more, or that is gone
  "does_not_fit",
  // the lead has opted out, which only an undo with clear_opt_out clears
  "opt_out",
] as const;

export type KeptReason = (typeof KEPT_REASONS)[number];

/** Why a change cannot be undone. */
export const IRREVERSIBLE = ["final", "undone", "running", "values_gone"] as const;

/** The kinds of records that a change has. */
export const RECORD_KINDS = ["lead", "row", "field", "statuses", "untracked", "view"] as const;

/** What a change did to a record. */
export const RECORD_OUTCOMES = [
  "created",
  "updated",
  "deleted",
  "restored",
  "merged",
  "erased",
  "recorded",
  "withdrawn",
  "kept",
] as const;
