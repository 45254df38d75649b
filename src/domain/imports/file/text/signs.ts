import { ALPHABETS } from "./alphabets.ts";

/** What a character is to its neighbours in a text. */
export interface Sign {
  kind: "edge" | "digit" | "letter" | "symbol";
  ascii: boolean;
  /** What it is to its neighbours: no letter, one of the vowels a, e, i, o and u, or a consonant. */
  sound: number;
  case: "upper" | "lower" | undefined;
  script: string | undefined;
  /** Of a letter that ASCII lacks: the bits in each language, by its neighbours. None if no language has it. */
  bits: Uint8Array | undefined;
}

/** The languages, by how much rarer than others they are in files, in bits. */
export const LANGUAGES: readonly number[] = tokensOf(ALPHABETS)
  .filter(isLanguage)
  .map((token) => Number(token.slice(2)));

/** No letter, five vowels and a consonant; on the left all vowels are one. */
const CONSONANT = 6;
const SOUNDS = 7;
export const PAIRS = 3 * SOUNDS;

/** What a letter costs in a language that lacks it. */
const FOREIGN = 15;

const LETTERS = lettersOf(ALPHABETS);

function tokensOf(table: string): string[] {
  return table.split(/\s+/).filter((token) => token !== "");
}

function isLanguage(token: string): boolean {
  return /^[a-z]{2}\d$/.test(token);
}

function lettersOf(table: string): ReadonlyMap<string, Uint8Array> {
  const letters = new Map<string, Uint8Array>();
  let language = -1;
  for (const token of tokensOf(table)) {
    if (isLanguage(token)) {
      language += 1;
      continue;
    }
    const letter = token.slice(0, 1);
    const bits = letters.get(letter) ?? new Uint8Array(PAIRS * LANGUAGES.length).fill(FOREIGN);
    for (let i = 0; i < PAIRS; i += 1) bits[PAIRS * language + i] = digitOf(token.slice(1), i);
    letters.set(letter, bits);
  }
  return letters;
}

/** What a table's letter costs: its digits are of three sounds on the left, times seven or three on the right. */
function digitOf(digits: string, pair: number): number {
  const right = pair % SOUNDS;
  const across = digits.length / 3;
  const column = across === SOUNDS ? right : Math.ceil(right / (SOUNDS - 2));
  return Number.parseInt(digits.charAt(across * Math.floor(pair / SOUNDS) + column), 16);
}

/** Returns which of a letter's bits those between two neighbours are. */
export function pairOf(left: Sign, right: Sign): number {
  const sound = left.sound === 0 ? 0 : left.sound === CONSONANT ? 2 : 1;
  return SOUNDS * sound + right.sound;
}

/** What is before and behind a word. */
export const EDGE: Sign = {
  kind: "edge",
  ascii: true,
  sound: 0,
  case: undefined,
  script: undefined,
  bits: undefined,
};

const known = new Map<string, Sign>();

/** Returns what a character is. */
export function signOf(character: string): Sign {
  let sign = known.get(character);
  if (sign === undefined) {
    sign = newSign(character);
    // At most the characters of encodings of single bytes, some hundreds.
    known.set(character, sign);
  }
  return sign;
}

/** What Unicode has as letters, but texts do not: ª, µ, º, and accents without a letter. */
const NO_LETTER = /[\u00aa\u00b5\u00ba\u02b0-\u02ff]/;

/** The five vowels; those of other alphabets count as one. */
const VOWELS = [/a/, /[eæœ]/, /[iyı]/, /[oø]/, /[uаеёиоуыэюяіїєαεηιουω]/];

function soundOf(letter: string): number {
  const vowel = VOWELS.findIndex((pattern) => pattern.test(letter));
  return vowel < 0 ? CONSONANT : vowel + 1;
}

const SCRIPTS = ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Thai"].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const,
);

function newSign(character: string): Sign {
  const ascii = character < "\x80";
  if (/\d/.test(character)) return { ...EDGE, kind: "digit" };
  if (NO_LETTER.test(character) || !/[\p{L}\p{M}]/u.test(character))
    return ascii ? EDGE : { ...EDGE, kind: "symbol", ascii };
  const low = character.toLowerCase();
  const small = low.length === character.length ? low : character;
  return {
    kind: "letter",
    ascii,
    sound: soundOf(small.normalize("NFD").charAt(0)),
    case:
      small !== character || character === "İ"
        ? "upper"
        : low === character.toUpperCase()
          ? undefined
          : "lower",
    script: SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0],
    bits: LETTERS.get(small),
  };
}
