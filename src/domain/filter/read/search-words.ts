import { bad, cleanText } from "../../values/bad-input.ts";

const MOST_WORDS = 10;

/** The words of a search, each of which has to be found; no words ask for nothing. */
export function searchWords(search: unknown, path = "$.search"): string[] {
  const words = cleanText(search, path)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length > MOST_WORDS) bad(path, "too_many_words", `must have at most ${MOST_WORDS} words`);
  return words;
}
