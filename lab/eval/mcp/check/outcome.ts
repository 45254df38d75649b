import type { Write } from "./writes.ts";

/** A file of leads that was made. */
export interface MadeExport {
  state: string;
  total: number | null;
  columns: readonly string[] | null;
}

/** What there is after an assistant worked on a job. */
export interface Outcome {
  /** What it said to the person in the end. */
  answer: string;
  /** What it wrote, without what follows from it. */
  writes: readonly Write[];
  exports: readonly MadeExport[];
  /** The kinds of its changes, such as lead.update and undo, in order. */
  changes: readonly string[];
}
