import type { Outcome } from "../../../contract/lists/outcomes.ts";
import { notFound, Refusal } from "../../../core/refusal.ts";
import { externalIdTaken } from "../identity/external-id.ts";
import type { Held } from "../identity/resolve.ts";

export const MOST_TAGS = 100;

/** The outcome of writing one lead. */
type WriteOutcome =
  | Outcome
  /** Not found, or not in a state for this change. */
  | "missing"
  /** The caller's version is not the current one. */
  | "stale"
  /** Another lead has the external id. */
  | "taken"
  | "too_many_tags"
  /** Not written, because only new leads are, or only those that are there. */
  | "left_out";

/**
 * `place` is the lead's index in the call; `json` is the record as text if it was the only lead, and null for a caller
 * that may only create.
 */
export interface Written {
  place: number;
  id: string;
  outcome: WriteOutcome;
  version: number | null;
  json: string | null;
  /** The lead that has the external id, if the outcome is `taken`. */
  holder?: string | null;
  /** Whether the lead keeps an opt-out that its record would have cleared. */
  keptOptOut?: boolean | null;
  /** Other leads that have its addresses. */
  held?: readonly Held[];
}

/** Returns why a lead was not written; undefined if it was written or is unchanged. */
export function writeRefusal({
  outcome,
  version,
  holder = null,
}: Pick<Written, "outcome" | "version" | "holder">): Refusal | undefined {
  switch (outcome) {
    case "missing":
      return notFound("lead");
    case "stale":
      return new Refusal(
        "stale",
        "stale",
        `The lead is now at version ${version}. Read it again, then change it.`,
        {
          faults: [{ path: "version", code: "stale", message: String(version) }],
        },
      );
    case "taken":
      return externalIdTaken(holder);
    case "too_many_tags":
      return new Refusal("unprocessable", "too_many_tags", `A lead has at most ${MOST_TAGS} tags.`);
    default:
      return undefined;
  }
}

/** A lead after a write: the record as JSON text, empty for a caller that may only create, and the outcome. */
export interface WrittenLead {
  id: string;
  outcome: Outcome;
  json: string;
}

/** Returns the result for a single lead; throws the refusal if it was not written. */
export function writtenLead([written]: readonly Written[]): WrittenLead {
  if (written === undefined) throw notFound("lead");
  const refusal = writeRefusal(written);
  if (refusal !== undefined) throw refusal;
  return { id: written.id, outcome: written.outcome as WrittenLead["outcome"], json: written.json ?? "" };
}
