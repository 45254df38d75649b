import { EDGE, LANGUAGES, PAIRS, pairOf, type Sign, signOf } from "./signs.ts";

/** What a character costs that no text has: a replaced byte, a control character, one of a private use. */
const INVALID = 24;
const CONTROL = 20;
const PRIVATE = 16;

/** What a letter costs that no language has, and a word in another language than most words. */
const UNKNOWN = 16;
const OTHER_LANGUAGE = 6;

/** Beyond so many times, a word that repeats says nothing more. */
const MOST_REPEATS = 16;

/**
 * Returns how unlikely a text in an alphabet is, in bits (-log2 of a probability): by its letters that ASCII lacks and
 * their neighbours, in the language that fits best, and by symbols, capitals and scripts inside words.
 */
export function textBits(text: string): number {
  const totals = LANGUAGES.map((bits) => bits);
  const bits = new Float64Array(LANGUAGES.length);
  let fixed = 0;
  for (const [word, weight] of wordsOf(text)) {
    bits.fill(0);
    fixed += weight * wordBits(word, bits);
    const most = Math.min(...bits.map((each, i) => each + (LANGUAGES[i] ?? 0))) + OTHER_LANGUAGE;
    for (let i = 0; i < totals.length; i += 1)
      totals[i] = (totals[i] ?? 0) + weight * Math.min(bits[i] ?? 0, most);
  }
  return fixed + Math.min(...totals);
}

/** Returns the words of a text with non-ASCII characters, and their weights: one that repeats weighs a little more. */
export function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/[0-9A-Za-z\u0080-\uffff]+/g))
    if (/[^\0-\x7f]/.test(word)) words.set(word, (words.get(word) ?? 0) + 1);
  for (const [word, count] of words) words.set(word, 1 + Math.log2(Math.min(count, MOST_REPEATS)) / 2);
  return words;
}

/** The bits of a character that no text has; undefined of any other. */
export function faultBits(code: number): number | undefined {
  if (code === 0xfffd) return INVALID;
  if (code >= 0x80 && code < 0xa0) return CONTROL;
  return code >= 0xe000 && code < 0xf900 ? PRIVATE : undefined;
}

/** Returns the bits that are the same in all languages, and adds those of each language. */
function wordBits(word: string, bits: Float64Array): number {
  let fixed = 0;
  let [before, left] = [EDGE, EDGE];
  let sign = signOf(word.charAt(0));
  /** How many letters in a row ASCII lacks. */
  let row = 0;
  for (let i = 0; i < word.length; i += 1) {
    const right = i + 1 < word.length ? signOf(word.charAt(i + 1)) : EDGE;
    row = sign.kind === "letter" && !sign.ascii ? row + 1 : 0;
    if (sign.kind === "symbol") {
      fixed += faultBits(word.charCodeAt(i)) ?? symbolBits(word.slice(i), left, right);
    } else if (sign.kind === "letter") {
      fixed += neighbourBits(before, left, sign, right);
      if (row > 0) {
        if (sign.script === "Latin") fixed += [0, 0, 1, 4][row] ?? 8;
        if (sign.bits === undefined) fixed += UNKNOWN;
        else addBits(bits, sign.bits, pairOf(left, right));
      }
    }
    [before, left, sign] = [left, sign, right];
  }
  return fixed;
}

function addBits(bits: Float64Array, more: Uint8Array, pair: number): void {
  for (let i = 0; i < bits.length; i += 1) bits[i] = (bits[i] ?? 0) + (more[PAIRS * i + pair] ?? 0);
}

/** What a letter costs next to a digit, after a letter of another script, and if its case is odd. */
function neighbourBits(before: Sign, left: Sign, sign: Sign, right: Sign): number {
  if (sign.ascii && left.ascii) return 0;
  let bits = !sign.ascii && (left.kind === "digit" || right.kind === "digit") ? 4 : 0;
  if (left.kind !== "letter") return bits;
  if (left.script !== sign.script) bits += 10;
  if (left.case === "lower" && sign.case === "upper") bits += sign.ascii ? 6 : 9;
  if (before.case === "upper" && left.case === "upper" && sign.case === "lower") bits += 5;
  return bits;
}

/** Symbols that are common, and usual; and those that may stand between letters, before a word and behind it. */
const COMMON = "\u00a0’–“”€°ºª";
const USUAL = "«»„‘—…•·£§©®™½²³´¿¡№\u00ad";
const INSIDE = "’‘´·–\u00a0\u00ad";
const OPENING = "“„«‘¿¡№\u00a0–—";
const CLOSING = "”»’…™®ºª²³\u00a0–—“";

/** An English or Irish apostrophe, the only such character of many files, and what it costs. */
const APOSTROPHE = /^’(?:(?:s|t|d|m|ll|re|ve)$|[A-Z])/;
const APOSTROPHE_BITS = 2;

/** What a symbol costs between its neighbours: most are not in or at words. */
function symbolBits(rest: string, left: Sign, right: Sign): number {
  if (left.kind === "letter" && APOSTROPHE.test(rest)) return APOSTROPHE_BITS;
  const symbol = rest.charAt(0);
  const own = COMMON.includes(symbol) ? 6 : USUAL.includes(symbol) ? 9 : 13;
  if (left.kind === "digit") return own;
  if (left.kind === "letter" && right.kind === "letter") return own + (INSIDE.includes(symbol) ? 0 : 10);
  if (left.kind === "letter") return own + (CLOSING.includes(symbol) ? 0 : 6);
  if (right.kind === "letter") return own + (OPENING.includes(symbol) ? 0 : 6);
  return own;
}
