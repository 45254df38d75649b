import { useWords } from "../../words/use-words.ts";
import { isFields, listIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS } from "./change-words.ts";
import { Counts } from "./counts.tsx";
import { Records } from "./records.tsx";

/** A dry run by filter: how many leads it would change, with examples. */
export function Rehearsal({ call: { answer } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const sample = listIn(answer, "sample").filter(isFields);
  return (
    <Page title={words.rehearsed} lead={words.wouldDo} answer={answer}>
      <Counts of={answer} isPlanned />
      {sample.length > 0 && (
        <section>
          <h2>{words.sample}</h2>
          <Records records={sample} isPlanned />
        </section>
      )}
    </Page>
  );
}
