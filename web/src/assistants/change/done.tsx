import { eventTypeName } from "../../words/event-title.ts";
import { type Locale, useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, isFields, listIn, textIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS, OUTCOMES } from "./change-words.ts";
import { Changes } from "./changes.tsx";
import { Counts } from "./counts.tsx";
import { Failures } from "./failures.tsx";
import { type Item, itemsIn, setIn } from "./items.ts";
import { Records } from "./records.tsx";

/**
 * A done change: how many records had which outcome, and which they are. Answers about a few records have their former and new
 * values; what others set is in the arguments of the call.
 */
export function Done({ call: { answer, input } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const title = useTitle(answer);
  const isDry = answer.dry_run === true;
  // A new dataset cannot be undone, its rows can.
  const isUndoable = answer.change_id !== undefined && !isOnlyDataset(answer);
  const items = itemsIn(input);
  const locale = useLocale();
  const set = answer.records === undefined ? setIn(input) : [];
  return (
    <Page
      title={title}
      lead={isDry ? words.wouldDo : isUndoable ? words.undoable : undefined}
      answer={answer}
    >
      <Counts of={answer} isPlanned={isDry} />
      {set.length > 0 && (
        <section>
          <h2>{words.set}</h2>
          <Changes changes={set} />
        </section>
      )}
      <Records records={writtenIn(locale, answer, items)} isPlanned={isDry} />
      <Failures
        failures={listIn(answer, "failures").filter(isFields)}
        nameOf={(index) => items[index]?.name}
      />
    </Page>
  );
}

const isOnlyDataset = (answer: Fields): boolean =>
  answer.dataset_id !== undefined && answer.written === undefined;

/** What the change did: its only outcome, if it has only one. */
function useTitle(answer: Fields): string {
  const words = useWords(CHANGE_WORDS);
  const outcomes = OUTCOMES[useLocale()];
  if (answer.dry_run === true) return words.rehearsed;
  if (answer.job_id !== undefined) return words.inBackground;
  if (isOnlyDataset(answer)) return words.dataset;
  if (answer.change_id === undefined) return words.nothing;
  const kinds = ["created", "updated", "deleted", "restored", "recorded"].filter(
    (name) => Number(answer[name] ?? 0) > 0,
  );
  return kinds.length === 1 ? (outcomes[kinds[0] ?? ""] ?? words.done) : words.done;
}

/** The event that the call recorded, as a sentence. */
function eventsOf(locale: Locale, { event }: Partial<Item>): string[] {
  if (event === undefined) return [];
  const name = eventTypeName(locale, event.type);
  return [event.text === undefined ? name : `${name}: ${event.text}`];
}

/** The records of `written`, rows of [index, outcome, id], with what the change did to each, or else what the call set. */
function writtenIn(locale: Locale, answer: Fields, items: readonly Item[]): Fields[] {
  const records = new Map(
    listIn(answer, "records")
      .filter(isFields)
      .map((record) => [record.id, record]),
  );
  return listIn(fieldsIn(answer, "written"), "rows").flatMap((row) => {
    if (!Array.isArray(row)) return [];
    const [index, outcome, id] = row as unknown[];
    const item: Partial<Item> = items[Number(index)] ?? {};
    const record = records.get(id) ?? {};
    const known = listIn(record, "changes");
    const changes = known.length === 0 ? (item.set ?? []) : known;
    const name = textIn(record, "name") ?? item.name;
    return [
      {
        ...{ id, outcome, events: eventsOf(locale, item), changes: outcome === "unchanged" ? [] : changes },
        ...(name !== undefined && { name }),
      },
    ];
  });
}
