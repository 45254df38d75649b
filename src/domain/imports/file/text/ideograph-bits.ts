import type { Encoding } from "../../../../contract/lists/files.ts";
import { JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL } from "./common-ideographs.ts";
import { faultBits, wordsOf } from "./text-bits.ts";
import { decoderOf } from "./text-decoder.ts";

/** The encodings with characters of two bytes. */
type WideEncoding = Extract<Encoding, "shift_jis" | "euc-jp" | "gbk" | "big5" | "euc-kr">;

/** What is written in an encoding. */
interface Writing {
  common: string;
  /** The first and the last pair of bytes of the other characters that are not rare, in the encoding `usualIn`. */
  usual: readonly [first: number, last: number];
  usualIn: WideEncoding;
  /** Whether it has Japanese syllables. */
  kana: boolean;
}

const JAPAN: Writing = { common: JAPANESE, usual: [0xb0a1, 0xcfd3], usualIn: "euc-jp", kana: true };
const WRITINGS: Readonly<Record<WideEncoding, Writing>> = {
  shift_jis: JAPAN,
  "euc-jp": JAPAN,
  gbk: { common: SIMPLIFIED, usual: [0xb0a1, 0xd7f9], usualIn: "gbk", kana: false },
  big5: { common: TRADITIONAL, usual: [0xa440, 0xc67e], usualIn: "big5", kana: false },
  "euc-kr": { common: KOREAN, usual: [0xb0a1, 0xc8fe], usualIn: "euc-kr", kana: false },
};

/** Returns whether an encoding has characters of two bytes. */
export const isWide = (encoding: Encoding): encoding is WideEncoding => encoding in WRITINGS;

/** What a character costs that is common, and one that is usual. */
const COMMON = 9;
const USUAL = 14;

/** What a character costs next to a small Latin letter: such a pair is rather two letters that were read as one. */
const AT_LATIN = 3;

/** What a halfwidth syllable costs next to a Latin letter or digit, or alone: it is rather one letter or symbol. */
const LONELY = 8;

/** Returns how unlikely a text is, in bits, that was decoded with an encoding of characters of two bytes. */
export function ideographBits(text: string, encoding: WideEncoding): number {
  const { kana } = WRITINGS[encoding];
  const own = charactersOf(encoding);
  let bits = 0;
  for (const [word, weight] of wordsOf(text)) {
    const characters = Array.from(word);
    for (const [i, character] of characters.entries()) {
      if (character < "\x80") continue;
      const code = character.codePointAt(0) ?? 0;
      bits += weight * (faultBits(code) ?? own.get(character) ?? otherBits(code, kana));
      const around = [characters[i - 1] ?? "", characters[i + 1] ?? ""];
      if (around.some((each) => each >= "a" && each <= "z")) bits += weight * AT_LATIN;
      if (isHalfwidth(code) && (word.length === 1 || around.some((each) => each !== "" && each < "\x80")))
        bits += weight * LONELY;
    }
  }
  return bits;
}

const isHalfwidth = (code: number): boolean => code >= 0xff61 && code <= 0xff9f;

function otherBits(code: number, kana: boolean): number {
  if (code >= 0x3041 && code <= 0x30fe) return kana ? 6.5 : 12;
  if (isHalfwidth(code)) return kana ? 8 : 20;
  if ((code >= 0x3000 && code < 0x3020) || (code >= 0xff01 && code <= 0xff5e)) return 10;
  return code >= 0x3400 ? 19 : 17;
}

const known = new Map<WideEncoding, ReadonlyMap<string, number>>();

/** The bits of the characters that an encoding's texts have. */
function charactersOf(encoding: WideEncoding): ReadonlyMap<string, number> {
  let bits = known.get(encoding);
  if (bits === undefined) {
    const { common, usual, usualIn } = WRITINGS[encoding];
    const all = Array.from(between(usual, usualIn), (character) => [character, USUAL] as const);
    bits = new Map([...all, ...Array.from(common.trim(), (character) => [character, COMMON] as const)]);
    known.set(encoding, bits);
  }
  return bits;
}

/** The characters from one pair of bytes to another. */
function between([first, last]: Writing["usual"], encoding: WideEncoding): string {
  const pairs: number[] = [];
  for (let pair = first; pair <= last; pair += 1) {
    const trail = pair % 256;
    if ((trail >= 0xa1 && trail <= 0xfe) || (encoding === "big5" && trail >= 0x40 && trail <= 0x7e))
      pairs.push(Math.floor(pair / 256), trail);
  }
  return decoderOf(encoding).write(Buffer.from(pairs));
}
