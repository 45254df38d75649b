import type { ItemOutcome } from "../../../../contract/lists/outcomes.ts";
import type { Fault, Refusal } from "../../../../core/refusal.ts";
import { outside } from "./outside-text.ts";
import { ANSWER_BYTES, fitList } from "./size.ts";

interface Result {
  index: number;
  id: string | null;
  outcome: ItemOutcome;
  refusal: Refusal | null;
  warnings?: readonly Fault[];
}

const FRAME_BYTES = 1_000;

/** Returns the outcome of each item: those that were written as a table, those that were not with the reason. `names` are other words for outcomes. */
export function itemsAnswer(
  results: readonly Result[],
  refused: readonly { index: number; refusal: Refusal }[] = [],
  names: Partial<Record<ItemOutcome, string>> = {},
): object {
  const written = results.filter(({ outcome }) => outcome !== "failed");
  const failed = [
    ...results.flatMap(({ index, refusal }) => (refusal === null ? [] : [{ index, refusal }])),
    ...refused,
  ].sort((a, b) => a.index - b.index);
  const nameOf = (outcome: ItemOutcome): string => names[outcome] ?? outcome;
  const count = (outcome: ItemOutcome) => results.filter((result) => result.outcome === outcome).length;
  const failures = failed.map(({ index, refusal }) => outside({ index, ...reasonOf(refusal) }) as object);
  const rows = written.map(({ index, outcome, id }) => [index, nameOf(outcome), id]);
  const shown = fitList(failures, ANSWER_BYTES / 2);
  const doubts = written.flatMap(({ warnings = [], index }) => warnings.map((each) => ofItem(each, index)));
  return {
    ...Object.fromEntries(
      (["created", "updated", "unchanged"] as const).flatMap((outcome) =>
        count(outcome) > 0 ? [[nameOf(outcome), count(outcome)]] : [],
      ),
    ),
    failed: failed.length,
    ...(failures.length > 0 ? { failures: shown } : {}),
    ...(rows.length > 0
      ? {
          written: {
            columns: ["index", "outcome", "id"],
            rows: fitList(rows, ANSWER_BYTES / 2 - FRAME_BYTES),
          },
        }
      : {}),
    ...(doubts.length > 0 ? { warnings: fitList(doubts, ANSWER_BYTES / 4) } : {}),
    untrusted_content: failures.length > 0 ? ["failures"] : [],
  };
}

/** The path of an item, which its index names. */
const ITEM = /^\$\.(items|leads|events)\[\d+\]\.?/;

/** A warning of an item by the path of its lead in the call. */
const ofItem = ({ path, ...fault }: Fault, index: number): Fault => ({
  path: path.replace(/^\$\.items\[\d+\]/, `$.leads[${index}]`),
  ...fault,
});

/** Why an item failed, with the leads that it may mean. */
function reasonOf({ message, faults }: Refusal): object {
  const candidates = faults.filter(({ code }) => code === "candidate").map(({ message: told }) => told);
  const others = faults.filter(({ code }) => code !== "candidate");
  const why =
    others.length > 0
      ? others.map(({ path, message: told }) => `${path.replace(ITEM, "")} ${told}`.trim()).join("; ")
      : message;
  return { why, ...(candidates.length > 0 ? { candidates } : {}) };
}
