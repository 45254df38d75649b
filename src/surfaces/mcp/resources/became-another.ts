import { Refusal } from "../../../core/refusal.ts";
import type { ResourceText } from "../protocol/registry.ts";
import { asJson } from "./json.ts";

/**
 * Returns the surviving lead and the URI of the same resource (`part`) there, if the lead was merged;
 * rethrows other errors.
 */
export function becameAnother(error: unknown, part = ""): ResourceText {
  const into = error instanceof Refusal && error.code === "merged" ? error.faults[0]?.message : undefined;
  if (into === undefined) throw error;
  return asJson({ merged_into: into, uri: `leads://leads/${into}${part}`, truncated: false });
}
