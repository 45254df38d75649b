import type { LeadPart } from "../../../src/contract/leads/lead.ts";
import { leadValue } from "./lead.ts";
import { sameValue } from "./value.ts";

/** What is not worth a flash: it changes with everything else. */
const QUIET = new Set(["version", "updated_at", "last_activity_at", "custom"]);

/** The names of the fields that differ between two versions of a lead, of those that were read of both. */
export function changedFields(before: LeadPart, after: LeadPart): string[] {
  const isCustomKnown = before.custom !== undefined && after.custom !== undefined;
  const keys = isCustomKnown ? Object.keys({ ...before.custom, ...after.custom }) : [];
  const names = Object.keys(after).filter((name) => name in before && !QUIET.has(name));
  return [...names, ...keys.map((key) => `custom.${key}`)].filter(
    (name) => !sameValue(leadValue(before, name), leadValue(after, name)),
  );
}
