import { folded } from "../../../core/folded.ts";
import { bad, cleanText } from "../../values/bad-input.ts";
import { guessedOf, internationalOf } from "../../values/read-phone.ts";

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

/** A word in which a mistake can be looked for: a shorter one is like too many others, a longer one is no name. */
const MISTYPED = /^\p{L}{4,16}$/u;

/**
 * Returns what may have been meant by a word, as LIKE patterns for the start of a word without case and accents: one letter of
 * it is wrong, missing, too many, or swapped with the next. Patterns that a trigram index cannot look up are left out, which
 * is a wrong second letter of four. Empty for what is not letters, or too short.
 */
export function mistypedPatterns(word: string): string[] {
  const letters = [...folded(word)];
  const whole = letters.join("");
  if (!MISTYPED.test(whole)) return [];
  const patterns = letters.flatMap((letter, i) => {
    const [before, after] = [letters.slice(0, i), letters.slice(i + 1)];
    const [next = "", ...others] = after;
    return [
      [...before, "_", ...after],
      [...before, ...after],
      [...before, ...(i === 0 ? [] : ["_"]), letter, ...after],
      [...before, next, letter, ...others],
    ].map((each) => each.join(""));
  });
  return [...new Set(patterns)].filter((each) => each !== whole && /^[^_]{2}|[^_]{3}/.test(each));
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

/** Digits of phone numbers to look for. */
export interface PhoneDigits {
  /** Digits that a lead's number contains. */
  parts: readonly string[];
  /**
   * A lead's whole number without its country code. With `countries`, the code is a guess: only the projects of
   * these countries, and those without one, mean it by a number without a code.
   */
  whole?: { digits: string; countries?: readonly string[] };
}

/** Returns the digits of words that are written like a phone number, without zeros before them. */
export function phoneIn(words: readonly string[]): PhoneDigits | undefined {
  const text = words.join(" ");
  const digits = text.replace(/\D/g, "").replace(/^0+/, "");
  if (digits.length < LEAST_DIGITS || !words.every((word) => OF_A_PHONE.test(word))) return undefined;
  const written = internationalOf(text);
  const guessed = written === undefined && digits.length >= WITH_COUNTRY ? guessedOf(digits) : undefined;
  const { countryCode, national } = written ?? guessed ?? { countryCode: "", national: digits };
  const parts = [...new Set([digits, `${countryCode}${national}`])];
  if (countryCode === "" || national.length < LEAST_DIGITS) return { parts };
  return { parts, whole: { digits: national, ...(guessed && { countries: guessed.countries }) } };
}
