import { bad } from "../../values/bad-input.ts";
import { listOf, pairOf } from "../../values/read-list.ts";
import type { Range, Test } from "../tree/filter.ts";

/** Reads the operator and value of a number condition. */
export function readNumberTest(op: string, value: unknown, path: string): Test {
  if (op === "eq") return { kind: "numbers", values: [numberOf(value, path)] };
  if (op === "in") return { kind: "numbers", values: listOf(value, path, numberOf) };
  return { kind: "number", range: rangeOf(op, value, path) };
}

function rangeOf(op: string, value: unknown, path: string): Range<number> {
  if (op === "between") {
    const [from, until] = pairOf(value, path, numberOf);
    return { from: { at: from, inclusive: true }, until: { at: until, inclusive: true } };
  }
  const edge = { at: numberOf(value, path), inclusive: op === "gte" || op === "lte" };
  return op === "gt" || op === "gte" ? { from: edge } : { until: edge };
}

function numberOf(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) bad(path, "type", "must be a number");
  return value;
}
