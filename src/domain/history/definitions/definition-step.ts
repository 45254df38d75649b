import { isDeepStrictEqual } from "node:util";
import type { KeptReason } from "../../../contract/lists/changes.ts";

/** What an undo did to a definition: the values before and after it, or why it left it alone. */
export type DefinitionStep =
  | {
      did: "put_back" | "deleted" | "restored";
      before: object | null;
      after: object | null;
      /** The version that it has now, or had last. */
      version?: number;
    }
  | { did: "kept"; reason: KeptReason }
  /** The definition is gone already. */
  | { did: "nothing" };

/** What a change did to a field or a view: created it (`before` is null), changed it, or deleted it (`after` is null). */
export interface DefinitionChange<D extends object> {
  before: D | null;
  after: D | null;
}

/** What an undo does with a field or a view, before what uses it is looked at. */
export function stepOf<D extends object>(
  { before, after }: DefinitionChange<D>,
  now: D | undefined,
): "delete" | "write" | "create" | "nothing" | "taken" | "changed_since" {
  if (after === null) return now === undefined ? "create" : "taken";
  if (now === undefined) return before === null ? "nothing" : "changed_since";
  if (!isDeepStrictEqual(now, after)) return "changed_since";
  return before === null ? "delete" : "write";
}
