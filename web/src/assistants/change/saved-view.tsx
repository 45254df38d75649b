import { useWords } from "../../words/use-words.ts";
import { numberIn, textIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { useView } from "../host/view-context.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS } from "./change-words.ts";
import { OpenLink } from "./open-link.tsx";

/** A view that was saved for the people of the project, with the way to it. */
export function SavedView({ call: { answer, input } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const { number } = useView().format;
  const count = numberIn(answer, "leads");
  const counted = count === undefined ? "" : words.leads(number(count), count);
  return (
    <Page
      title={words.savedView}
      lead={
        <>
          <bdi>{textIn(input, "name") ?? ""}</bdi>
          {counted !== "" && ` · ${answer.at_least === true ? words.orMore(counted) : counted}`}
        </>
      }
      answer={answer}
    >
      <OpenLink url={textIn(answer, "url") ?? ""} text={words.openView} />
    </Page>
  );
}
