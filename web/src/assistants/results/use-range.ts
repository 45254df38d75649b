import { useWords } from "../../words/use-words.ts";
import { type Fields, numberIn } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import { RESULT_WORDS } from "./result-words.ts";

/** Returns which records a page shows, such as `26 to 50 of 6,012`; undefined if these are all. */
export function useRange(answer: Fields, input: Fields, shown: number): string | undefined {
  const words = useWords(RESULT_WORDS);
  const { number } = useView().format;
  const next = numberIn(answer, "next_offset");
  const first = next === undefined ? (numberIn(input, "offset") ?? 0) : next - shown;
  if (shown === 0 || (next === undefined && first === 0)) return undefined;
  const total = numberIn(answer, "total");
  return words.range(
    number(first + 1),
    number(first + shown),
    total === undefined || answer.at_least === true ? undefined : number(total),
  );
}
