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
