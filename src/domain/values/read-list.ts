import { type Fault, malformed, Refusal } from "../../core/refusal.ts";
import { bad } from "./bad-input.ts";

const MOST = 1_000;

/** Reads a list of at most 1,000 values, each with its own path, and reports the first 20 errors. */
export function listOf<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) bad(path, "type", "must be an array");
  if (value.length > MOST) bad(path, "too_many_values", `must have at most ${MOST} values`);
  const faults: Fault[] = [];
  const items: T[] = [];
  value.forEach((item, i) => {
    try {
      items.push(read(item, `${path}[${i}]`));
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
      faults.push(...error.faults);
    }
  });
  if (faults.length > 0) throw malformed(faults.slice(0, 20));
  return items;
}

/** Reads a list of exactly two values, for `between`. */
export function pairOf<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): [T, T] {
  if (!Array.isArray(value) || value.length !== 2)
    bad(path, "type", "must be an array of two values, from and to");
  const [first, last] = listOf(value, path, read) as [T, T];
  return [first, last];
}
