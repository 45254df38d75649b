import { useWords } from "../../words/use-words.ts";
import { fieldsIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS } from "./change-words.ts";
import { Changes } from "./changes.tsx";
import { Counts } from "./counts.tsx";
import { setIn } from "./items.ts";

/** A change of many leads, or its undo, that ran in the background; hosts that follow tasks show how it ended. */
export function Job({ call: { answer, input } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const job = fieldsIn(answer, "job");
  const ended = job.kind === "undo" ? words.undone : words.done;
  const titles: Readonly<Record<string, string>> = { done: ended, cancelled: words.stopped };
  const set = setIn(input);
  return (
    <Page
      title={titles[String(job.state)] ?? words.inBackground}
      lead={job.state === "done" ? words.undoable : undefined}
      answer={answer}
    >
      <Counts of={{ updated: job.changed, unchanged: job.unchanged, skipped: job.skipped }} />
      {set.length > 0 && (
        <section>
          <h2>{words.set}</h2>
          <Changes changes={set} />
        </section>
      )}
    </Page>
  );
}
