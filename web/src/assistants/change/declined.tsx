import { useWords } from "../../words/use-words.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { CHANGE_WORDS } from "./change-words.ts";

/** A change that the person did not agree to. */
export function Declined({ call: { answer } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  return (
    <Page
      title={answer.reason === "cancelled" ? words.cancelled : words.declined}
      lead={words.nothing}
      answer={answer}
    />
  );
}
