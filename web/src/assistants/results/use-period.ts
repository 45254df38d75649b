import { useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, textIn } from "../host/answer.ts";
import { useValueText } from "../parts/value-text.ts";
import { RESULT_WORDS } from "./result-words.ts";

/** Returns the period of a summary as a sentence, and the one that it is compared with; undefined if it has none. */
export function usePeriod(answer: Fields): string | undefined {
  const words = useWords(RESULT_WORDS);
  const textOf = useValueText();
  const daysOf = (span: Fields): [string, string] | undefined => {
    const [from, to] = [textIn(span, "from"), textIn(span, "to")];
    if (from === undefined || to === undefined) return undefined;
    return [textOf("", from), textOf("", lastDay(to))];
  };
  const [now, before] = [daysOf(fieldsIn(answer, "period")), daysOf(fieldsIn(answer, "before"))];
  if (now === undefined) return undefined;
  const period = words.period(...now);
  const all = before === undefined ? period : `${period}, ${words.compared(...before)}`;
  return answer.period_is_over === false ? `${all}. ${words.running}` : all;
}

/** The last day of a span that ends before this day. */
function lastDay(end: string): string {
  const date = new Date(end);
  if (end.length !== 10 || Number.isNaN(date.getTime())) return end;
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}
