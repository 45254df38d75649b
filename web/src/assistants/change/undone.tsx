import { useWords } from "../../words/use-words.ts";
import { fieldsIn, isFields, listIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS } from "./change-words.ts";
import { Counts } from "./counts.tsx";
import { Records } from "./records.tsx";

/** An undo: what was put back and what was kept. */
export function Undone({ call: { answer } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const isDry = answer.dry_run === true;
  const isRunning = answer.job_id !== undefined;
  return (
    <Page
      title={isDry ? words.rehearsed : isRunning ? words.inBackground : words.undone}
      lead={isDry ? words.wouldUndo : undefined}
      answer={answer}
    >
      <Counts of={fieldsIn(answer, "counts")} isPlanned={isDry} />
      <Records records={listIn(answer, "records").filter(isFields)} isPlanned={isDry} />
    </Page>
  );
}
