import type { KeptReason } from "../../../contract/lists/changes.ts";

/** What an undo did to a definition: the values before and after it, or why it left it alone. */
export type DefinitionStep =
  | { did: "put_back" | "deleted" | "restored"; before: object | null; after: object | null }
  | { did: "kept"; reason: KeptReason }
  /** The definition is gone already. */
  | { did: "nothing" };
