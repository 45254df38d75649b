import type { Lead } from "../../../src/contract/nouns/lead.ts";
import { leadValue } from "./lead.ts";
import { sameValue } from "./value.ts";

/** What is not worth a flash: it changes with everything else. */
const QUIET = new Set(["version", "updated_at", "last_activity_at", "custom"]);

/** The names of the fields that differ between two versions of a lead. */
export function changedFields(before: Lead, after: Lead): string[] {
  const custom = Object.keys({ ...before.custom, ...after.custom }).map((key) => `custom.${key}`);
  return [...Object.keys(after).filter((name) => !QUIET.has(name)), ...custom].filter(
    (name) => !sameValue(leadValue(before, name), leadValue(after, name)),
  );
}
