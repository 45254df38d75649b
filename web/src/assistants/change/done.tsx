import { useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, isFields, listIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS, OUTCOMES } from "./change-words.ts";
import { Changes } from "./changes.tsx";
import { Counts } from "./counts.tsx";
import { Failures } from "./failures.tsx";
import { type Item, itemsIn, setIn } from "./items.ts";
import { Records } from "./records.tsx";

/**
 * A done change: how many records had which outcome, and which they are. What was set is in the arguments of the call, since
 * the answer does not repeat it.
 */
export function Done({ call: { answer, input } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const title = useTitle(answer);
  const isDry = answer.dry_run === true;
  const items = itemsIn(input);
  const set = setIn(input);
  return (
    <Page
      title={title}
      lead={isDry ? words.wouldDo : answer.change_id === undefined ? undefined : words.undoable}
      answer={answer}
    >
      <Counts of={answer} isPlanned={isDry} />
      {set.length > 0 && (
        <section>
          <h2>{words.set}</h2>
          <Changes changes={set} />
        </section>
      )}
      <Records records={writtenIn(answer, items)} isPlanned={isDry} />
      <Failures
        failures={listIn(answer, "failures").filter(isFields)}
        nameOf={(index) => items[index]?.name}
      />
    </Page>
  );
}

/** What the change did: its only outcome, if it has only one. */
function useTitle(answer: Fields): string {
  const words = useWords(CHANGE_WORDS);
  const outcomes = OUTCOMES[useLocale()];
  if (answer.dry_run === true) return words.rehearsed;
  if (answer.job_id !== undefined) return words.inBackground;
  if (answer.dataset_id !== undefined && answer.written === undefined) return words.dataset;
  if (answer.change_id === undefined) return words.nothing;
  const kinds = ["created", "updated", "deleted", "restored", "recorded"].filter(
    (name) => Number(answer[name] ?? 0) > 0,
  );
  return kinds.length === 1 ? (outcomes[kinds[0] ?? ""] ?? words.done) : words.done;
}

/** The records of `written`, rows of [index, outcome, id], with what the call set on each. */
function writtenIn(answer: Fields, items: readonly Item[]): Fields[] {
  return listIn(fieldsIn(answer, "written"), "rows").flatMap((row) => {
    if (!Array.isArray(row)) return [];
    const [index, outcome, id] = row as unknown[];
    const { name, set = [] } = items[Number(index)] ?? {};
    return [
      { id, outcome, changes: outcome === "unchanged" ? [] : set, ...(name !== undefined && { name }) },
    ];
  });
}
