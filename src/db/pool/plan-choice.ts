import { hash } from "node:crypto";
import { Recent } from "../wire/recent.ts";

/**
 * How PostgreSQL plans a statement: `generic`, once for all values, on a prepared statement, or `custom`, each time for
 * the values at hand.
 */
export type Plan = "generic" | "custom";

/** How often a statement is planned for its values before it is worth preparing. */
const FIRST = 2;
/** Of so many runs, one is planned for its values, for comparison. */
const PROBE = 32;
/** After so many runs, the times of both kinds are compared. They are of the same time then, as the load of the machine changes. */
const COMPARED = 4 * PROBE;
/** So many comparisons one after the other give a generic plan up: a few runs that wait at a start can spoil the means of one. */
const CONFIRMED = 2;
/**
 * From which ratio and milliseconds more on a generic plan counts as slower than one for the values: of the means, and of single
 * runs, whose times differ by more on a busy machine.
 */
const SLOWER = { means: { times: 2, ms: 1 }, runs: { times: 3, ms: 5 } };
/** So often must a generic plan be slower, from its first run on, than the run behind it to be given up without a comparison of means. */
const DOUBTS = 4;
/** So many runs that took too long, between two comparisons, give a generic plan up; one alone may have waited for the disk. */
const OVERS = 2;
/** How long a generic plan is not tried again. */
const AGAIN_MS = 600_000;
const MOST = 2_000;

/** How often a kind of plan was used since the last comparison, and how long that took, in milliseconds. */
interface Taken {
  runs: number;
  ms: number;
}

interface Times {
  /** How often a plan was chosen. */
  chosen: number;
  taken: Record<Plan, Taken>;
  /** How many runs of the generic plan took too long since the last comparison. */
  overs: number;
  /** How many comparisons, one after the other, found the generic plan slower. */
  slower: number;
  /** How long it took lately when it was planned for its values, in milliseconds. */
  customMs: number | undefined;
  /** How long a generic plan took that was much slower; the next run is planned for its values, for comparison. */
  slowMs: number | undefined;
  /** How often that comparison was against the generic plan; undefined once such a plan was fast. */
  doubts: number | undefined;
  /** Until when the generic plan counts as slower. */
  customUntil: number;
}

const slower = (of: keyof typeof SLOWER, generic: number, custom: number): boolean =>
  generic > SLOWER[of].times * custom + SLOWER[of].ms;

const unused = (): Record<Plan, Taken> => ({ generic: { runs: 0, ms: 0 }, custom: { runs: 0, ms: 0 } });

/**
 * Chooses between the two plans of a statement by the times that both took for the same owner. Planning costs as much as a
 * usual page, so a generic plan is better unless the values are so unequal that no plan fits all of them.
 */
export class PlanChoice {
  readonly #times = new Recent<string, Times>(MOST);

  /** Which plan to use. `text` is the statement without values. */
  choose(owner: string, text: string): Plan {
    const times = this.#of(owner, text);
    times.chosen += 1;
    if (times.chosen <= FIRST || times.chosen % PROBE === 0) return "custom";
    return times.slowMs !== undefined || performance.now() < times.customUntil ? "custom" : "generic";
  }

  /** Records how long a plan took, in milliseconds; `over` if a generic one took too long. */
  note(owner: string, text: string, plan: Plan, ms: number, over = false): void {
    const times = this.#of(owner, text);
    if (plan === "custom") times.customMs = ((times.customMs ?? ms) + ms) / 2;
    if (times.chosen <= FIRST || performance.now() < times.customUntil) return;
    this.#doubt(times, plan, ms);
    const { generic, custom } = times.taken;
    const taken = times.taken[plan];
    taken.runs += 1;
    taken.ms += ms;
    const isSlower = custom.runs > 0 && slower("means", generic.ms / generic.runs, custom.ms / custom.runs);
    const compares = generic.runs + custom.runs >= COMPARED;
    if (compares) times.slower = isSlower ? times.slower + 1 : 0;
    if (over) times.overs += 1;
    const gaveUp = times.overs === OVERS || times.doubts === DOUBTS || times.slower === CONFIRMED;
    if (gaveUp) Object.assign(times, { customUntil: performance.now() + AGAIN_MS, doubts: 0, slower: 0 });
    if (gaveUp || compares) Object.assign(times, { taken: unused(), overs: 0 });
  }

  /**
   * Each slow run is compared with the one behind it, planned for its values, because those that are under way at once are all slow
   * when a machine becomes busy. One fast run ends the doubts: on a machine with much to do, some of any kind are slow.
   */
  #doubt(times: Times, plan: Plan, ms: number): void {
    const { customMs = ms, slowMs } = times;
    if (times.doubts === undefined) return;
    if (plan === "generic" && !slower("runs", ms, customMs)) times.doubts = times.slowMs = undefined;
    else if (plan === "generic") times.slowMs ??= ms;
    else if (slowMs !== undefined) {
      times.slowMs = undefined;
      if (slower("runs", slowMs, ms)) times.doubts += 1;
    }
  }

  #of(owner: string, text: string): Times {
    const key = `${owner} ${hash("sha1", text, "base64")}`;
    let times = this.#times.get(key);
    if (times === undefined) {
      times = {
        chosen: 0,
        taken: unused(),
        overs: 0,
        slower: 0,
        customMs: undefined,
        slowMs: undefined,
        doubts: 0,
        customUntil: 0,
      };
      this.#times.set(key, times);
    }
    return times;
  }
}
