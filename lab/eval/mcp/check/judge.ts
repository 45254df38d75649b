import { compare, type Expected } from "./expected.ts";
import { type Need, notDone } from "./needs.ts";
import type { Outcome } from "./outcome.ts";

/** What the outcome of a job must be. */
export interface Expectation {
  /** All of it must be written and nothing else; a job without it must write nothing. */
  writes?: readonly Expected[];
  needs: readonly Need[];
  /** What the answer must not have. */
  never?: readonly Need[];
}

export const VERDICTS = ["right", "partly", "stopped", "wrong", "wrong_write"] as const;

/**
 * right: everything was done and said. partly: at least half of it, and some of what was to be written. stopped: the assistant gave up, or gave no answer.
 * wrong: anything else. wrong_write: something was written that the job did not ask for.
 */
export type Verdict = (typeof VERDICTS)[number];

export interface Judgement {
  verdict: Verdict;
  /** What is missing, and what should not be there. */
  faults: string[];
}

const SHOWN = 8;

export function judge(expectation: Expectation, outcome: Outcome): Judgement {
  const { writes: expected = [], needs, never = [] } = expectation;
  const { missing, unexpected } = compare(expected, outcome.writes);
  const unmet = needs.filter((need) => !need.met(outcome)).map(({ says }) => `missing: ${says}`);
  const present = never.filter((need) => need.met(outcome)).map(({ says }) => `should not be there: ${says}`);
  const faults = [
    ...shortened(
      unexpected.map(({ what, id, fields }) => `not asked for: ${what} ${id} ${JSON.stringify(fields)}`),
    ),
    ...present,
    ...unmet,
    ...shortened(missing.map((says) => `not written: ${says}`)),
  ];
  const verdict = (): Verdict => {
    if (unexpected.length > 0) return "wrong_write";
    if (outcome.answer.trim() === "" && outcome.writes.length === 0) return "stopped";
    if (present.length > 0) return "wrong";
    if (faults.length === 0) return "right";
    // All writes together count as much as one half, so that a job of many writes is not done by its words.
    const required = expected.filter(({ least }) => least > 0).length;
    const said = needs.length === 0 ? 1 : 1 - unmet.length / needs.length;
    const wrote = required === 0 ? said : 1 - missing.length / required;
    if (wrote > 0 && (said + wrote) / 2 >= 0.5) return "partly";
    return notDone.met(outcome) ? "stopped" : "wrong";
  };
  return { verdict: verdict(), faults };
}

const shortened = (lines: readonly string[]): string[] => [
  ...lines.slice(0, SHOWN).map((line) => line.slice(0, 400)),
  ...(lines.length > SHOWN ? [`and ${lines.length - SHOWN} more like these`] : []),
];
