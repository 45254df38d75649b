import type { Meaning } from "../../../../src/contract/lists/figures.ts";

/** The statuses that count as won and as lost. */
export interface Outcomes {
  won: readonly string[];
  lost: readonly string[];
}

/** Returns the outcomes that the project's statuses mean. */
export function outcomesOf(meanings: Readonly<Record<string, Meaning>>): Outcomes {
  const meaning = (wanted: Meaning) =>
    Object.entries(meanings).flatMap(([status, is]) => (is === wanted ? [status] : []));
  return { won: meaning("won"), lost: meaning("lost") };
}

/** Returns the meaning of each status. */
export const meaningsOf = (statuses: readonly string[], { won, lost }: Outcomes): Record<string, Meaning> =>
  Object.fromEntries(
    statuses.map((each) => [each, won.includes(each) ? "won" : lost.includes(each) ? "lost" : "open"]),
  );
