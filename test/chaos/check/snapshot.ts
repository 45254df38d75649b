import type { History } from "../history.ts";
import type { Broken, PromiseName } from "./broken.ts";
import { deletionsIn, type Seen, type Write, writesIn } from "./writes.ts";

/** All leads as of one point in time between `start` and `end`. */
export interface Snapshot {
  leads: readonly Seen[];
  start: number;
  end: number;
  name: string;
}

/**
 * A snapshot has every write that was acknowledged before it began, or before another write began that it has; and
 * none that began after its end.
 */
export function checkSnapshot(
  history: History,
  { leads, start, end, name }: Snapshot,
  promise: PromiseName,
): Broken[] {
  const broken: Broken[] = [];
  const seen = new Map(leads.map((lead) => [lead.id, lead]));
  const deletions = deletionsIn(history);
  const isIn = ({ kind, lead, version }: Write): boolean | undefined => {
    const found = seen.get(lead);
    if (kind === "delete") return found === undefined;
    if (found !== undefined) return found.version >= version;
    // Without the lead, the write may be in, and a deletion after it.
    const deletion = deletions.get(lead);
    return deletion !== undefined && deletion.start <= end ? undefined : false;
  };
  const writes = writesIn(history);
  const within = writes.filter((write) => isIn(write) === true && write.kind !== "delete");
  const latest = Math.max(start, ...within.map(({ call }) => call.start));
  for (const write of writes) {
    const { call, lead, version, kind } = write;
    const what = `${kind} of ${lead}${kind === "delete" ? "" : ` (version ${version})`} by call ${call.n}`;
    if (isIn(write) === false && call.end < latest)
      broken.push({ promise, what: `${name} lacks the acknowledged ${what}` });
    if (isIn(write) === true && kind !== "delete" && call.start > end)
      broken.push({ promise, what: `${name} has the later ${what}` });
  }
  return broken;
}
