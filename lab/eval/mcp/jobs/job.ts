import type { Facts } from "../../data/facts.ts";
import type { Expectation } from "../check/judge.ts";

/** Something that a sales manager asks an assistant to do. */
export interface Job {
  id: string;
  language: "en" | "pt";
  /** What the person says: all that the assistant receives. */
  text: string;
  /** What a good assistant needs at most: calls of tools, and tokens of their results. */
  budget: { calls: number; tokens: number };
  /** Whether the person approves what the assistant asks approval for. */
  approve?: true;
  expects(facts: Facts): Expectation;
}
