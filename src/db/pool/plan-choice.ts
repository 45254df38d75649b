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
/** From this ratio on, a generic plan is slower than one for the values; on a busy machine times differ by less. */
const SLOWER = 3;
/** Differences below this are noise, in milliseconds. */
const NOISE = 5;
/** So many runs of a generic plan that are slower than the runs around them, which are planned for their values, are enough to give it up. */
const DOUBTS = 3;
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
  /** How long it took lately when it was planned for its values, in milliseconds. */
  customMs: number | undefined;
  /** The kind of the last run. */
  last: Plan;
  /** How many runs of the generic plan, one after the other, were much slower than that. */
  doubts: number;
  /** Until when the generic plan counts as slower. */
  customUntil: number;
}

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
    const doubted = times.doubts > 0 && times.last === "generic";
    return doubted || performance.now() < times.customUntil ? "custom" : "generic";
  }

  /** Records how long a plan took, in milliseconds; `over` if a generic one took too long. */
  note(owner: string, text: string, plan: Plan, ms: number, over = false): void {
    const times = this.#of(owner, text);
    const { customMs = ms } = times;
    times.last = plan;
    if (plan === "custom") times.customMs = (customMs + ms) / 2;
    if (times.chosen <= FIRST || performance.now() < times.customUntil) return;
    if (plan === "generic") times.doubts = ms > SLOWER * customMs + NOISE ? times.doubts + 1 : 0;
    const { generic, custom } = times.taken;
    const taken = times.taken[plan];
    taken.runs += 1;
    taken.ms += ms;
    const isSlower =
      custom.runs > 0 && generic.ms / generic.runs > SLOWER * (custom.ms / custom.runs) + NOISE;
    const compares = generic.runs + custom.runs >= COMPARED;
    const isDoubtful = times.doubts === DOUBTS;
    if (over || isDoubtful || (compares && isSlower)) {
      times.customUntil = performance.now() + AGAIN_MS;
      times.doubts = 0;
    }
    if (over || isDoubtful || compares) times.taken = unused();
  }

  #of(owner: string, text: string): Times {
    const key = `${owner} ${hash("sha1", text, "base64")}`;
    let times = this.#times.get(key);
    if (times === undefined) {
      times = { chosen: 0, taken: unused(), customMs: undefined, doubts: 0, last: "custom", customUntil: 0 };
      this.#times.set(key, times);
    }
    return times;
  }
}
