import { type CountedLimit, callsOf, type FaultDone, type History } from "../history.ts";
import type { Broken } from "./broken.ts";

/** The clocks of harness and database run equally fast, but not exactly. */
const TOLERANCE_MS = 5;

/**
 * In no stretch of time were more calls admitted than the bucket allows: `burst`, and one more for each `each`
 * milliseconds. A call was admitted between its start and its end, so the calls that lie within the stretch count. A
 * crash of PostgreSQL fills the bucket again.
 */
export function checkLimits(history: History): Broken[] {
  const limit = history.find((entry): entry is CountedLimit => entry.kind === "limit");
  if (limit === undefined) return [];
  const crashes = history.filter((entry): entry is FaultDone => entry.kind === "fault" && entry.crash);
  const calls = callsOf(history, "counted.read").filter(({ status }) => status === 200);
  const byEnd = calls.toSorted((a, b) => a.end - b.end);
  for (const { start } of calls) {
    let count = 0;
    for (const call of byEnd) {
      if (call.start < start) continue;
      count += 1;
      const refills = crashes.filter(
        (crash) => crash.start < call.end && crash.end > start - AFTERMATH_MS,
      ).length;
      const most = mostIn(limit, call.end - start) + refills * limit.burst;
      if (count > most) {
        const span = `${Math.round(call.end - start)} ms from ${Math.round(start)}`;
        return [
          { promise: "limits", what: `${count} calls were admitted in ${span}, not ${Math.floor(most)}` },
        ];
      }
    }
  }
  return [];
}

/** PostgreSQL empties its counters when it is up again, which is after the fault. */
const AFTERMATH_MS = 5_000;

function mostIn({ burst, each, redis }: CountedLimit, span: number): number {
  const most = burst + (span + TOLERANCE_MS) / each;
  return redis ? most * 1.5 : most;
}
