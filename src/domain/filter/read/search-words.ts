import { bad, cleanText } from "../../values/bad-input.ts";

const MOST_WORDS = 10;

/** The words of a search, all of which must match; an empty search matches everything. */
export function searchWords(search: unknown, path = "$.search"): string[] {
  const words = cleanText(search, path)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length > MOST_WORDS) bad(path, "too_many_words", `must have at most ${MOST_WORDS} words`);
  return words;
}
