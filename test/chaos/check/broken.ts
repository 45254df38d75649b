/** What may be broken; `round` is the round itself, which did not come to its end. */
export const PROMISES = [
  "kept",
  "once",
  "versions",
  "feed",
  "imports",
  "exports",
  "tokens",
  "limits",
  "ready",
  "answers",
  "stored",
  "round",
] as const;

export type PromiseName = (typeof PROMISES)[number];

/** A promise that the history shows to be broken. */
export interface Broken {
  promise: PromiseName;
  what: string;
}
