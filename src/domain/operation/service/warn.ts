import type { Fault } from "../../../core/refusal.ts";
import type { Service } from "./service.ts";

/** How many warnings a caller receives. */
const MOST = 20;

/** Adds to what the caller is told about a request that succeeds; work without a caller that waits tells nobody. */
export function warn({ origin }: Pick<Service, "origin">, faults: readonly Fault[]): void {
  const warnings = origin?.warnings;
  if (warnings === undefined) return;
  for (const fault of faults) {
    const known = warnings.some(({ path, message }) => path === fault.path && message === fault.message);
    if (!known && warnings.length < MOST) warnings.push(fault);
  }
}
