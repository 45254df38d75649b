import { type CountedLimit, callsOf, type FaultDone, type History, REDIS_LATE } from "../history.ts";
import type { Broken } from "./broken.ts";

/** The clocks of harness and database run equally fast, but not exactly. */
const TOLERANCE_MS = 5;

/**
 * In no stretch of time were more calls admitted than the bucket allows: `burst`, and one more for each `each`
 * milliseconds. A call was admitted between its start and its end, so the calls that lie within the stretch count. A
 * crash of PostgreSQL fills its bucket again; while its disk is full, each instance has half a bucket of its own. With
 * Redis, PostgreSQL has no bucket, or one of half the size if Redis was late.
 */
export function checkLimits(history: History): Broken[] {
  const limit = history.find((entry): entry is CountedLimit => entry.kind === "limit");
  if (limit === undefined) return [];
  const faults = history.filter((entry): entry is FaultDone => entry.kind === "fault");
  const crashes = faults.filter(({ crash }) => crash);
  const full = faults.filter(({ name }) => name === "disk-full");
  const isLate = faults.some(({ name }) => name === REDIS_LATE);
  const [inRedis, inDatabase] = limit.redis ? [1, isLate ? 0.5 : 0] : [0, 1];
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
      const own = full.map((fault) => ownBuckets(limit, fault, [start, call.end]));
      const bucket = limit.burst + (call.end - start + TOLERANCE_MS) / limit.each;
      const most = (inRedis + inDatabase) * bucket + inDatabase * (refills * limit.burst + sum(own));
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

/** An instance asks about once a second whether the database takes changes again. */
const FULL_DISK_AFTERMATH_MS = 2_000;

function ownBuckets(
  { burst, each, instances }: CountedLimit,
  fault: FaultDone,
  [start, end]: readonly [number, number],
): number {
  const overlap = Math.min(end, fault.end + FULL_DISK_AFTERMATH_MS) - Math.max(start, fault.start);
  return overlap < 0 ? 0 : (instances / 2) * (burst + overlap / each);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
