import { bad } from "./bad-input.ts";

const MOST = 1_000;

/** A list of at most 1,000 values, each read by itself under its own path. */
export function listOf<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) bad(path, "type", "must be a list");
  if (value.length > MOST) bad(path, "too_many_values", `has more than ${MOST} values`);
  return value.map((item, i) => read(item, `${path}[${i}]`));
}

/** A list of exactly two values, for `between`. */
export function pairOf<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): [T, T] {
  if (!Array.isArray(value) || value.length !== 2)
    bad(path, "type", "must be a list of two values, from and to");
  return [read(value[0], `${path}[0]`), read(value[1], `${path}[1]`)];
}
