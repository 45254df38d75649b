import type { Sent } from "../wire/send.ts";
import type { Lane, Work } from "./connections.ts";
import { type Plan, PlanChoice } from "./plan-choice.ts";
import { Slowness } from "./slowness.ts";

/** Time limits of statements in milliseconds. */
export interface TimeLimits {
  /** Of a read that is expected to be fast; it continues in the slow lane. 0 lets all of them run in the normal lane. */
  fast: number;
  /** Of any other read, and of statements outside of projects. */
  query: number;
  /** Of writes and transactions, unless they set another one. */
  long: number;
}

/** The lane in which a project's work runs, and who wants to know if it is slow. */
export interface Purpose extends Work {
  /** Called before a statement runs in the slow lane. */
  onSlow?: (() => void) | undefined;
}

/** What was sent, and how long its answer took, without the wait for a connection. */
export type Timed = Sent & { ms: number };

/** Sends a read in this lane, with this time limit in milliseconds. */
export type Run = (lane: Lane, limitMs: number, plan?: Plan) => Promise<Timed>;

/** The lane of work of no project: sessions, tokens, limits. */
export const KEYED: Purpose = { lane: "keyed", owner: "" };

/** Runs reads of projects in the lanes and with the plans that suit them, by what such reads took before. */
export class ProjectReads {
  readonly #limits: TimeLimits;
  /** Whether prepared statements can be planned once for all values; a cluster plans with the project. */
  readonly #plansOnce: boolean;
  readonly #slowness = new Slowness();
  readonly #plans = new PlanChoice();

  constructor({
    limits,
    prepared,
    distributed,
  }: {
    limits: TimeLimits;
    prepared?: boolean;
    distributed?: boolean | undefined;
  }) {
    this.#limits = limits;
    this.#plansOnce = prepared !== false && distributed !== true;
  }

  /**
   * Runs a read that may turn out to be slow. It has little time in the normal lane, where it would keep other projects
   * waiting; if that is not enough, it starts again in the slow lane, and so do the next ones like it. A `measured` one may be
   * planned once for all values; if that takes too long, it starts again with a plan for its own.
   */
  async read({ owner, onSlow }: Purpose, text: string, measured: boolean, run: Run): Promise<Sent> {
    const { fast, query } = this.#limits;
    const expected = fast === 0 ? "fast" : this.#slowness.expect(owner, text);
    const normal = fast === 0 ? query : expected === "fast" ? fast : Math.ceil(fast / 5);
    const mayPlanOnce = measured && this.#plansOnce;
    if (mayPlanOnce && expected !== "slow" && this.#plans.choose(owner, text) === "generic") {
      const sent = await run("query", Math.ceil(normal / 2), "generic");
      const over = isTimeout(sent.error);
      this.#plans.note(owner, text, "generic", sent.ms, over);
      if (!over) return sent;
    }
    if (expected !== "slow") {
      const sent = await run("query", normal);
      if (mayPlanOnce) this.#plans.note(owner, text, "custom", sent.ms);
      const slow = fast !== 0 && isTimeout(sent.error);
      if (fast !== 0) this.#slowness.note(owner, text, slow);
      if (!slow) return sent;
    }
    onSlow?.();
    const sent = await run("slow", query);
    this.#slowness.note(owner, text, sent.error !== undefined || sent.ms > fast / 2);
    return sent;
  }
}

const isTimeout = (error: Error | undefined): boolean =>
  (error as { code?: string } | undefined)?.code === "57014";
