import type { Fault } from "../../core/refusal.ts";
import { sizeOf } from "../values/size-of.ts";

const LARGEST = 16_384;
const DEEPEST = 8;

export type EventData = Readonly<Record<string, unknown>>;

/**
 * Returns why PostgreSQL cannot store an event's data, or undefined. Does not recurse, so deep nesting is harmless.
 */
export function dataFault(data: object, path: string): Fault | undefined {
  const fault = (code: string, message: string): Fault => ({ path, code, message });
  if (sizeOf(data, LARGEST) > LARGEST) return fault("too_large", "must not be larger than 16 KB");
  const waiting: { value: unknown; depth: number }[] = [{ value: data, depth: 1 }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { value, depth } = part;
    if (typeof value === "number" && !Number.isFinite(value))
      return fault("not_a_number", "contains a number that is too large");
    if (typeof value === "string" && !isClean(value)) return fault("bad_text", UNCLEAN);
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEEPEST) return fault("too_deep", `must not be nested deeper than ${DEEPEST} levels`);
    for (const [key, inside] of Object.entries(value)) {
      if (!isClean(key)) return fault("bad_text", UNCLEAN);
      waiting.push({ value: inside, depth: depth + 1 });
    }
  }
  return undefined;
}

const UNCLEAN = "contains a string with the character NUL, or one that is not well-formed Unicode";

const isClean = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
