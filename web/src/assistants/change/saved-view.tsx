import { useWords } from "../../words/use-words.ts";
import { textIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS } from "./change-words.ts";
import { OpenLink } from "./open-link.tsx";

/** A view that was saved for the people of the project, with the way to it. */
export function SavedView({ call: { answer, input } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const name = textIn(input, "name");
  return (
    <Page title={words.savedView} lead={name !== undefined && <bdi>{name}</bdi>} answer={answer}>
      <OpenLink url={textIn(answer, "url") ?? ""} text={words.openView} />
    </Page>
  );
}
