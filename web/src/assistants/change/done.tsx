import { useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, isFields, listIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS } from "./change-words.ts";
import { Counts } from "./counts.tsx";
import { Failures } from "./failures.tsx";
import { itemsIn } from "./items.ts";
import { Records } from "./records.tsx";

/**
 * A done change: how many records had which outcome, and which they are. Answers about done changes have no former values:
 * what was set is in the arguments of the call.
 */
export function Done({ call: { answer, input } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const isDry = answer.dry_run === true;
  const items = itemsIn(input);
  const nameOf = (index: number) => items[index]?.name;
  return (
    <Page
      title={titleOf(answer, words)}
      lead={isDry ? words.wouldDo : answer.change_id === undefined ? undefined : words.undoable}
      answer={answer}
    >
      <Counts of={answer} />
      <Records records={writtenIn(answer, input)} />
      <Failures failures={listIn(answer, "failures").filter(isFields)} nameOf={nameOf} />
    </Page>
  );
}

function titleOf(answer: Fields, words: (typeof CHANGE_WORDS)["en"]): string {
  if (answer.dry_run === true) return words.rehearsed;
  if (answer.job_id !== undefined) return words.inBackground;
  if (answer.dataset_id !== undefined && answer.written === undefined) return words.dataset;
  return answer.change_id === undefined ? words.nothing : words.done;
}

/** The records of `written`, rows of [index, outcome, id], with what the call set. */
function writtenIn(answer: Fields, input: Fields): Fields[] {
  const items = itemsIn(input);
  return listIn(fieldsIn(answer, "written"), "rows").flatMap((row) => {
    if (!Array.isArray(row)) return [];
    const [index, outcome, id] = row as unknown[];
    const item = items[Number(index)];
    const isSet = outcome !== "deleted" && outcome !== "unchanged" && outcome !== "restored";
    const changes = isSet ? (item?.set ?? []).map(([field, to]) => ({ field, to })) : [];
    return [{ id, outcome, changes, ...(item?.name === undefined ? {} : { name: item.name }) }];
  });
}
