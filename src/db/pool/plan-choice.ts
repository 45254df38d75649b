import { hash } from "node:crypto";
import { Recent } from "../../core/recent.ts";

/**
 * How PostgreSQL plans a statement: `generic`, once for all values, on a prepared statement, or `custom`, each time for
 * the values at hand.
 */
export type Plan = "generic" | "custom";

/** How often a statement is planned for its values before it is worth preparing. */
const FIRST = 2;
/** How many runs decide at least: the first one on each connection prepares the statement, too. */
const TRIED = 64;
/** Of so many runs, one is planned for its values, for comparison. */
const PROBE = 64;
/** How much a new time counts in an average. */
const WEIGHT = 0.2;
/** From this ratio on, a generic plan is slower than one for the values; on a busy machine times differ by less. */
const SLOWER = 3;
/** Differences below this are noise, in milliseconds. */
const NOISE = 5;
/** How long a generic plan is not tried again. */
const AGAIN_MS = 600_000;
const MOST = 2_000;

interface Times {
  runs: number;
  /** The running averages in milliseconds, and how many generic runs they have. */
  custom: number | undefined;
  generic: number | undefined;
  tried: number;
  /** Until when the generic plan counts as slower. */
  customUntil: number;
}

/**
 * Chooses between the two plans of a statement by the times that both took for the same owner. Planning costs as much as a
 * usual page, so a generic plan is better unless the values are so unequal that no plan fits all of them.
 */
export class PlanChoice {
  readonly #times = new Recent<string, Times>(MOST);

  /** Which plan to use. `text` is the statement without values. */
  choose(owner: string, text: string): Plan {
    const times = this.#of(owner, text);
    times.runs += 1;
    if (times.runs <= FIRST || times.runs % PROBE === 0) return "custom";
    return performance.now() < times.customUntil ? "custom" : "generic";
  }

  /** Records how long a plan took, in milliseconds; `over` if that was too long. */
  note(owner: string, text: string, plan: Plan, ms: number, over = false): void {
    const times = this.#of(owner, text);
    const before = times[plan];
    times[plan] = before === undefined ? ms : before + WEIGHT * (ms - before);
    if (plan === "custom") return;
    times.tried += 1;
    const { custom = Number.POSITIVE_INFINITY, generic = 0, tried } = times;
    if (!over && (tried < TRIED || generic <= SLOWER * custom + NOISE)) return;
    times.customUntil = performance.now() + AGAIN_MS;
    times.tried = 0;
    times.generic = undefined;
  }

  #of(owner: string, text: string): Times {
    const key = `${owner} ${hash("sha1", text, "base64")}`;
    let times = this.#times.get(key);
    if (times === undefined) {
      times = { runs: 0, custom: undefined, generic: undefined, tried: 0, customUntil: 0 };
      this.#times.set(key, times);
    }
    return times;
  }
}
