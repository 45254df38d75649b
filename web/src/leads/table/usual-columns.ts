import type { ListedLead } from "../../records/listed-lead.ts";

/** The columns of a list that nobody arranged. */
export const USUAL: readonly string[] = [
  "name",
  "company",
  "status",
  "value",
  "email",
  "phone",
  "source",
  "owner_id",
  "tags",
  "created_at",
];

/** Columns that people fill while they work, and those that every lead fills. */
const ALWAYS: readonly string[] = ["name", "status", "owner_id", "created_at"];

/** What is looked at to find the columns that suit a project. */
export const CANDIDATES: readonly string[] = [...USUAL, "campaign", "custom.*"];

/** So many leads show what a project's leads have; fewer leave the usual columns, to be filled in. */
export const ENOUGH = 100;

/**
 * The usual columns that some of these leads fill. Blank ones make room for the campaign and custom fields that at least
 * half of the leads fill.
 */
export function usualColumns(leads: readonly ListedLead[], fields: readonly string[]): readonly string[] {
  if (leads.length < ENOUGH) return USUAL;
  const filled = (field: string) => leads.filter((lead) => !isBlank(valueIn(lead, field))).length;
  const kept = USUAL.filter((field) => ALWAYS.includes(field) || filled(field) > 0);
  const others = ["campaign", ...fields.filter((field) => field.startsWith("custom."))]
    .filter((field) => filled(field) >= leads.length / 2)
    .slice(0, USUAL.length - kept.length);
  return kept.toSpliced(kept.indexOf("created_at"), 0, ...others);
}

function valueIn(lead: ListedLead, field: string): unknown {
  const values: Readonly<Record<string, unknown>> = field.startsWith("custom.") ? (lead.custom ?? {}) : lead;
  return values[field.replace(/^custom\./, "")];
}

const isBlank = (value: unknown): boolean =>
  value == null || value === "" || (Array.isArray(value) && value.length === 0);
