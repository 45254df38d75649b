import type { Encoding } from "../../../../contract/lists/files.ts";
import { Refusal } from "../../../../core/refusal.ts";
import type { Doubts } from "../shape/import-file.ts";
import { likeliestEncoding, readingsOf } from "./detect-encoding.ts";
import { type LineSample, lineSample } from "./line-sample.ts";
import { decoderOf, strictUtf8 } from "./text-decoder.ts";

/** The text of a file; `found` is complete only when all of the text was read. */
export interface DecodedText {
  text: AsyncGenerator<string>;
  found: { encoding: Encoding; bom: boolean; encodings?: NonNullable<Doubts["encodings"]> };
}

const HEAD = 4_096;

/**
 * Decodes bytes without the byte order mark. Without a given encoding it goes by the mark, then by the zero bytes
 * of UTF-16, else UTF-8; from the first invalid byte on by the likeliest encoding, unless non-ASCII UTF-8 came before.
 * At the end, `found.encodings` has the ways to read all of the file; the first may be another than the one used.
 * `isHeader` returns whether a cell is a known name of a column.
 */
export async function decodeText(
  source: AsyncIterable<Buffer | string>,
  given?: Encoding,
  isHeader: (cell: string) => boolean = () => false,
): Promise<DecodedText> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, Buffer.from(next.value as Buffer)]);
  }
  const mark = markOf(head);
  const encoding = given ?? mark?.encoding ?? (zerosOf(head) || "utf-8");
  const bom = mark !== undefined && mark.encoding === encoding;
  const found: DecodedText["found"] = { encoding, bom };
  const bytes = joined(bom ? head.subarray(mark.length) : head, chunks);
  if (encoding !== "utf-8") return { text: other(bytes, encoding), found };
  return { text: utf8(bytes, found, given === undefined && !bom ? isHeader : undefined), found };
}

function markOf(head: Buffer): { encoding: Encoding; length: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: "utf-8", length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: "utf-16le", length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: "utf-16be", length: 2 };
  return undefined;
}

/** In UTF-16 every Latin letter has a zero byte, after it (little-endian) or before it (big-endian). */
function zerosOf(head: Buffer): Encoding | undefined {
  const zeros = [0, 0];
  for (const [i, byte] of head.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd * 5 > head.length && odd > even * 4) return "utf-16le";
  return even * 5 > head.length && even > odd * 4 ? "utf-16be" : undefined;
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield Buffer.from(next.value as Buffer);
    }
  } finally {
    await rest.return?.();
  }
}

async function* other(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  for await (const chunk of bytes) {
    const text = decoder.write(chunk);
    if (text !== "") yield text;
  }
  const rest = decoder.end();
  if (rest !== "") yield rest;
}

/** Decodes UTF-8, and with `isHeader` what turns out to be in another encoding. */
async function* utf8(
  bytes: AsyncIterable<Buffer>,
  found: DecodedText["found"],
  isHeader: ((cell: string) => boolean) | undefined,
): AsyncGenerator<string> {
  let decoder = strictUtf8();
  let line = 1;
  let letters = false;
  // What the strict decoder holds back if a chunk ends inside a character.
  let held: Buffer = Buffer.alloc(0);
  let sample: LineSample | undefined;
  const take = (chunk: Buffer, last: boolean): string => {
    try {
      return last ? decoder.end() : decoder.write(chunk);
    } catch (cause) {
      const bad = Buffer.concat([held, chunk]);
      if (isHeader === undefined || letters || mostlyUtf8(bad)) throw mixed(line + breaksBefore(bad), cause);
      sample = lineSample();
      sample.see(bad);
      found.encoding = likeliestEncoding(sample.lines(), isHeader);
      decoder = decoderOf(found.encoding);
      return decoder.write(bad) + (last ? decoder.end() : "");
    }
  };
  for await (const chunk of bytes) {
    sample?.see(chunk);
    const text = take(chunk, false);
    if (sample === undefined) {
      held = tailOf(Buffer.concat([held, chunk.subarray(-4)]));
      letters ||= Buffer.byteLength(text) !== text.length;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line += 1;
    }
    if (text !== "") yield text;
  }
  const rest = take(Buffer.alloc(0), true);
  if (rest !== "") yield rest;
  if (sample !== undefined && isHeader !== undefined) found.encodings = readingsOf(sample.lines(), isHeader);
}

/**
 * Whether invalid UTF-8 has at least as many non-ASCII characters as errors; then it is a damaged file, not another
 * encoding.
 */
function mostlyUtf8(bytes: Buffer): boolean {
  let [letters, errors] = [0, 0];
  for (const character of bytes.toString("utf8")) {
    if (character === "\ufffd") errors += 1;
    else if (character > "\x7f") letters += 1;
  }
  return letters >= errors;
}

const breaksBefore = (bytes: Buffer): number =>
  (bytes.toString("utf8").split("\ufffd", 1)[0] ?? "").split("\n").length - 1;

/** The bytes at the end that start an incomplete UTF-8 character. */
function tailOf(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.subarray(bytes.length - back) : Buffer.alloc(0);
  }
  return Buffer.alloc(0);
}

const mixed = (line: number, cause: unknown): Refusal =>
  new Refusal(
    "unprocessable",
    "not_utf8",
    `The file is not valid UTF-8 (after line ${line}). Save it as UTF-8, or set its encoding.`,
    { cause },
  );
