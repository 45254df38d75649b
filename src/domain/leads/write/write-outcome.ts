import { notFound, Refusal } from "../../../core/refusal.ts";

export const MOST_TAGS = 100;

/** What became of one lead that was to be written. */
export type WriteOutcome =
  | "created"
  | "updated"
  | "unchanged"
  /** No such lead, or not one that this can be done to. */
  | "missing"
  /** Another version than the caller knew. */
  | "stale"
  | "too_many_tags";

/** `place` is the lead's place among those of the call; `json` the record as text where it was the only one. */
export interface Written {
  place: number;
  id: string;
  outcome: WriteOutcome;
  version: number | null;
  json: string | null;
}

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
        `The lead is now at version ${version}. Read it again, then change it.`,
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
