import { isGood, isRefused, percentile, type Sample } from "./flood.ts";

/** What a run showed. */
export interface Shown {
  sent: readonly Sample[];
  seconds: number;
  /** Answers a second when nothing is refused. */
  capacity: number;
  livez: readonly Sample[];
  /** Seconds from the end of the flood until calls were as before; undefined if nobody looked. */
  normalAfter?: number;
  /** What others sent meanwhile, by name. */
  others?: Readonly<Record<string, readonly Sample[]>>;
}

const LEAST_GOODPUT = 0.8;
const MOST_ADMITTED_MS = 2_000;
const MOST_LIVEZ_MS = 200;
const MOST_RECOVERY_S = 5;

/** Good answers a second, those of others included. What is answered after the flood does not count. */
export function goodputOf({
  sent,
  others = {},
  seconds,
}: Pick<Shown, "sent" | "others" | "seconds">): number {
  const all = [...sent, ...Object.values(others).flat()];
  return all.filter((each) => isGood(each) && each.at + each.ms <= seconds * 1_000).length / seconds;
}

/** Returns the goals that a run missed. */
export function missedGoals(shown: Shown): string[] {
  const { sent, capacity, livez, normalAfter = 0, others = {} } = shown;
  const p99 = (samples: readonly Sample[]) => percentile(samples, 0.99);
  const goals: [isReached: boolean, goal: string][] = [
    [goodputOf(shown) / capacity >= LEAST_GOODPUT, `goodput of ${LEAST_GOODPUT} of the capacity`],
    [p99(sent.filter(isGood)) <= MOST_ADMITTED_MS, `admitted p99 of ${MOST_ADMITTED_MS} ms`],
    [p99(livez) <= MOST_LIVEZ_MS, `/livez p99 of ${MOST_LIVEZ_MS} ms`],
    [livez.every(isGood), "no /livez failed"],
    [normalAfter <= MOST_RECOVERY_S, `normal after ${MOST_RECOVERY_S} s`],
    [sent.filter(isRefused).every(({ retry }) => retry), "every refusal with Retry-After"],
    [sent.every((each) => isGood(each) || isRefused(each)), "everything answered, and with no other status"],
    ...Object.entries(others).map(([name, samples]): [boolean, string] => [
      samples.length > 0 && samples.every(isGood),
      `none of the others' ${name} failed`,
    ]),
  ];
  return goals.filter(([isReached]) => !isReached).map(([, goal]) => goal);
}

/** The first second whose calls all succeed with a p99 of at most 1.5 times the unloaded one, of so many seconds. */
export function normalAfter(after: readonly Sample[], calm: number, seconds: number): number {
  for (let second = 0; second < seconds; second += 1) {
    const window = after.filter(({ at }) => at >= second * 1_000 && at < (second + 1) * 1_000);
    if (window.every(isGood) && percentile(window, 0.99) <= 1.5 * calm) return second;
  }
  return Number.POSITIVE_INFINITY;
}
