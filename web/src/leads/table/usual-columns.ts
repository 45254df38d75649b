import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import { leadValue } from "../../records/lead.ts";

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

/** So many leads show what a project's leads have; fewer leave the usual columns, to be filled in. */
export const ENOUGH = 100;

/**
 * The usual columns that some of these leads fill. Blank ones make room for the campaign and custom fields that at least
 * half of the leads fill.
 */
export function usualColumns(leads: readonly Lead[], fields: readonly string[]): readonly string[] {
  if (leads.length < ENOUGH) return USUAL;
  const filled = (field: string) => leads.filter((lead) => !isBlank(leadValue(lead, field))).length;
  const kept = USUAL.filter((field) => filled(field) > 0);
  const others = ["campaign", ...fields.filter((field) => field.startsWith("custom."))]
    .filter((field) => filled(field) >= leads.length / 2)
    .slice(0, USUAL.length - kept.length);
  const end = kept.includes("created_at") ? kept.length - 1 : kept.length;
  return kept.toSpliced(end, 0, ...others);
}

const isBlank = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);
