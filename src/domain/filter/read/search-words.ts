import { bad, cleanText } from "../../values/bad-input.ts";
import { internationalOf } from "../../values/read-phone.ts";

const MOST_WORDS = 10;
/** What people write phone numbers with. */
const OF_A_PHONE = /^[\d+()./\p{Pd}]+$/u;
/** Fewer digits are a year or an order's number rather than a phone number. */
const LEAST_DIGITS = 7;
/** From this many digits on, the first ones can be a country code without its `+`. */
const WITH_COUNTRY = 11;

/** The words of a search, all of which must match; an empty search matches everything. */
export function searchWords(search: unknown, path = "$.search"): string[] {
  const words = cleanText(search, path)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length > MOST_WORDS) bad(path, "too_many_words", `must have at most ${MOST_WORDS} words`);
  return words;
}

/** Groups the words of a search: neighbours that could be parts of one phone number together, others alone. */
export function wordRuns(words: readonly string[]): string[][] {
  const runs: string[][] = [];
  let open: string[] | undefined;
  for (const word of words) {
    const fits = OF_A_PHONE.test(word);
    if (fits && open !== undefined && !word.startsWith("+")) open.push(word);
    else {
      const run = [word];
      runs.push(run);
      open = fits ? run : undefined;
    }
  }
  return runs;
}

/** Digits that a lead's phone number contains, or with which it starts. */
export interface PhoneDigits {
  parts: readonly string[];
  starts: readonly string[];
}

/** Returns the digits of words that are written like a phone number, without zeros before them. */
export function phoneIn(words: readonly string[]): PhoneDigits | undefined {
  const text = words.join(" ");
  const digits = text.replace(/\D/g, "").replace(/^0+/, "");
  if (digits.length < LEAST_DIGITS || !words.every((word) => OF_A_PHONE.test(word))) return undefined;
  const abroad =
    internationalOf(text) ?? (digits.length < WITH_COUNTRY ? undefined : internationalOf(`+${digits}`));
  if (abroad === undefined) return { parts: [digits], starts: [] };
  const parts = [...new Set([digits, `${abroad.countryCode}${abroad.national}`])];
  return { parts, starts: abroad.national.length < LEAST_DIGITS ? [] : [abroad.national] };
}
