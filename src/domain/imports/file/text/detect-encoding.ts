import { ENCODINGS, type Encoding } from "../../../../contract/lists/files.ts";
import type { Doubts, TextReading } from "../shape/import-file.ts";
import { ideographBits, isWide } from "./ideograph-bits.ts";
import { textBits } from "./text-bits.ts";
import { decoderOf } from "./text-decoder.ts";

/** The encodings that are detected, and how much rarer than windows-1252 each is, in bits. */
const RARITIES: Partial<Record<Encoding, number>> = {
  ...{ "windows-1252": 0, "iso-8859-15": 6, macintosh: 4 },
  ...{ "windows-1250": 2, "iso-8859-2": 4, "windows-1254": 2, "windows-1257": 4 },
  ...{ "windows-1251": 1, "koi8-r": 5, "koi8-u": 6, ibm866: 5, "iso-8859-5": 8, "x-mac-cyrillic": 8 },
  ...{ "windows-1253": 2, "iso-8859-7": 5, "windows-1255": 3, "windows-1256": 3, "windows-874": 3 },
  ...{ shift_jis: 2, "euc-jp": 5, gbk: 2, big5: 3, "euc-kr": 2 },
};
const CANDIDATES = ENCODINGS.filter((encoding) => RARITIES[encoding] !== undefined);

/** A way to read the sample. */
interface Reading {
  encoding: Encoding;
  text: string;
  bits: number;
}

/** By how many bits a header word makes its reading likelier. */
const HEADER_WORD = 25;
const MOST_HEADER_WORDS = 4;

/** A reading is sure if it is likelier than any other by this many bits. */
const SURE = 6;

/** A part of the sample tells which readings to compare by all of it: those within as many bits, and some more. */
const PART = 3_072;
const WITHIN = 60;
const AT_LEAST = 5;

/** Other readings that are further behind are not worth a question, but the first of them. */
const WORTH = 30;
const MOST_READINGS = 4;

/** Returns the likeliest encoding of sampled lines, which have non-ASCII bytes. */
export function likeliestEncoding(lines: readonly Buffer[], isHeader: (cell: string) => boolean): Encoding {
  return ranked(lines, isHeader)[0]?.encoding ?? "windows-1252";
}

/** Returns the ways to read sampled lines that differ, the likeliest first, and whether it is sure. */
export function readingsOf(
  lines: readonly Buffer[],
  isHeader: (cell: string) => boolean,
): NonNullable<Doubts["encodings"]> {
  const [best, second, ...others] = ranked(lines, isHeader);
  if (best === undefined) return { sure: true, readings: [] };
  const worth = others.filter(({ bits }) => bits < best.bits + WORTH).slice(0, MOST_READINGS - 2);
  const readings = [best, ...(second === undefined ? [] : [second]), ...worth];
  return {
    sure: second === undefined || second.bits - best.bits >= SURE,
    readings: withExamples(
      lines,
      readings.map(({ encoding }) => encoding),
    ),
  };
}

/** The readings of all lines with different texts, the likeliest first; unlikely ones are left out. */
function ranked(lines: readonly Buffer[], isHeader: (cell: string) => boolean): Reading[] {
  const part = byLikelihood(partOf(lines), CANDIDATES, isHeader);
  const texts = new Set(part.map(({ text }) => text).slice(0, AT_LEAST));
  const most = (part[0]?.bits ?? 0) + WITHIN;
  // Those that read the part alike may differ in the rest.
  const likely = part.filter(({ text, bits }) => texts.has(text) || bits < most);
  const all = byLikelihood(
    lines,
    likely.map(({ encoding }) => encoding),
    isHeader,
  );
  return all.filter(({ text }, i) => all.findIndex((other) => other.text === text) === i);
}

/** Some of the lines: the first ones, and others from everywhere. */
function partOf(lines: readonly Buffer[]): readonly Buffer[] {
  const size = lines.reduce((sum, line) => sum + line.length, 0);
  const every = Math.max(1, Math.ceil(size / PART));
  return lines.filter((_, i) => i < 3 || i % every === 0);
}

/** The readings by these encodings, the likeliest first. */
function byLikelihood(
  lines: readonly Buffer[],
  encodings: readonly Encoding[],
  isHeader: (cell: string) => boolean,
): Reading[] {
  const bytes = Buffer.concat(lines.flatMap((line) => [line, BREAK]));
  const bitsOf = new Map<string, number>();
  const readings = encodings.map((encoding) => {
    const text = decoded(bytes, encoding);
    const bits = isWide(encoding) ? ideographBits(text, encoding) : (bitsOf.get(text) ?? textBits(text));
    bitsOf.set(text, bits);
    const headers = HEADER_WORD * headerWords(text, isHeader);
    return { encoding, text, bits: bits + (RARITIES[encoding] ?? 0) - headers };
  });
  return readings.sort((a, b) => a.bits - b.bits);
}

const BREAK = Buffer.from("\n");

function decoded(bytes: Buffer, encoding: Encoding): string {
  const decoder = decoderOf(encoding);
  return decoder.write(bytes) + decoder.end();
}

/** How many cells of the first lines are known header words with letters that ASCII lacks. */
function headerWords(text: string, isHeader: (cell: string) => boolean): number {
  const cells = text
    .split("\n", 3)
    .flatMap((line) => line.split(/[,;\t|]/))
    .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"))
    .filter((cell) => /(?=[^\0-\x7f])\p{L}/u.test(cell) && isHeader(cell));
  return Math.min(cells.length, MOST_HEADER_WORDS);
}

/** How many examples a reading has, and how long they may be. */
const EXAMPLES = 3;
const LONGEST = 40;

/** The readings with the cells that show best how they differ. */
function withExamples(lines: readonly Buffer[], encodings: readonly Encoding[]): TextReading[] {
  const seen = new Set<string>();
  const cells: { texts: string[]; differing: number }[] = [];
  for (const cell of lines.flatMap(cellsOf)) {
    const key = cell.toString("latin1");
    if (seen.has(key)) continue;
    seen.add(key);
    const texts = encodings.map((encoding) => shown(decoded(cell, encoding)));
    const differing = texts[0] === texts[1] ? 0 : new Set(texts).size;
    if (differing > 1) cells.push({ texts, differing });
    if (cells.length >= 100) break;
  }
  const best = cells.sort((a, b) => b.differing - a.differing).slice(0, EXAMPLES);
  return encodings.map((encoding, i) => ({ encoding, examples: best.map(({ texts }) => texts[i] ?? "") }));
}

/** A cell as people can see and the database can keep it: without control characters, and not too long. */
const shown = (cell: string): string =>
  Array.from(cell.trim().replace(/\p{Cc}/gu, "\ufffd"))
    .slice(0, LONGEST)
    .join("");

/** The cells of a line with non-ASCII bytes. A "|" behind such a byte may be half of a character. */
function cellsOf(line: Buffer): Buffer[] {
  const cells: Buffer[] = [];
  let start = 0;
  for (let at = 0; at <= line.length; at += 1) {
    const byte = line[at] ?? 0x2c;
    const ends = byte === 0x2c || byte === 0x3b || byte === 0x09 || byte === 0x22;
    if (!ends && !(byte === 0x7c && (line[at - 1] ?? 0) < 0x80)) continue;
    const cell = beginningAtWord(line.subarray(start, at));
    if (cell.some((each) => each >= 0x80)) cells.push(cell);
    start = at + 1;
  }
  return cells;
}

/** A long cell from a word shortly before its first non-ASCII byte. */
function beginningAtWord(cell: Buffer): Buffer {
  const found = cell.findIndex((byte) => byte >= 0x80);
  if (cell.length <= LONGEST || found < LONGEST / 2) return cell;
  const space = cell.lastIndexOf(0x20, found);
  return space < 0 ? cell.subarray(found - 1) : cell.subarray(space + 1);
}
