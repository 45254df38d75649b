import { notFound, Refusal } from "../../../core/refusal.ts";
import { MOST_TAGS } from "./change-leads.ts";
import type { Written } from "./write-outcome.ts";

/** Why a lead was not written; undefined where it was, or stays as it is. */
export function writeRefusal({
  outcome,
  version,
}: Pick<Written, "outcome" | "version">): Refusal | undefined {
  switch (outcome) {
    case "missing":
      return notFound("lead");
    case "stale":
      return new Refusal(
        "stale",
        "stale",
        `The lead is at version ${version} by now. Read it again, then change it.`,
        {
          faults: [{ path: "version", code: "stale", message: String(version) }],
        },
      );
    case "too_many_tags":
      return new Refusal("unprocessable", "too_many_tags", `A lead has at most ${MOST_TAGS} tags.`);
    default:
      return undefined;
  }
}

/** A lead after it was written: the record as JSON text, and what was done to it. */
export interface WrittenLead {
  id: string;
  outcome: "created" | "updated" | "unchanged";
  json: string;
}

/** The only lead of a call as its answer; throws why it was not written. */
export function writtenLead([written]: readonly Written[]): WrittenLead {
  if (written === undefined) throw notFound("lead");
  const refusal = writeRefusal(written);
  if (refusal !== undefined) throw refusal;
  return { id: written.id, outcome: written.outcome as WrittenLead["outcome"], json: written.json ?? "" };
}
