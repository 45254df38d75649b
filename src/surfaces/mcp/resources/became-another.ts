import { Refusal } from "../../../core/refusal.ts";
import type { ResourceText } from "../protocol/registry.ts";
import { asJson } from "./json.ts";

/** Where a lead went that was merged, and the URI of the same there (`part` of it); other failures stay what they are. */
export function becameAnother(error: unknown, part = ""): ResourceText {
  const into = error instanceof Refusal && error.code === "merged" ? error.faults[0]?.message : undefined;
  if (into === undefined) throw error;
  return asJson({ merged_into: into, uri: `leads://leads/${into}${part}`, truncated: false });
}
