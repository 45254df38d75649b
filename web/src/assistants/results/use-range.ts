import { useWords } from "../../words/use-words.ts";
import { type Fields, numberIn } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import { RESULT_WORDS } from "./result-words.ts";

/** How many records there are, as far as an answer says, and which of them it has. */
export interface Range {
  count: number;
  /** Whether there may be more. */
  isAtLeast: boolean;
  /** Such as `26 to 50 of 6,012`; undefined if these are all. */
  sentence: string | undefined;
}

/** Returns the range of a page with so many records. */
export function useRange(answer: Fields, input: Fields, shown: number): Range {
  const words = useWords(RESULT_WORDS);
  const { number } = useView().format;
  const next = numberIn(answer, "next_offset");
  const before = next === undefined ? (numberIn(input, "offset") ?? 0) : next - shown;
  const total = numberIn(answer, "total");
  const isAtLeast = answer.at_least === true || (total === undefined && next !== undefined);
  const count = total ?? (shown === 0 ? 0 : before + shown);
  const isAll = shown === 0 || (next === undefined && before === 0);
  const of = isAtLeast ? undefined : number(count);
  return {
    count,
    isAtLeast,
    sentence: isAll ? undefined : words.range(number(before + 1), number(before + shown), of),
  };
}
