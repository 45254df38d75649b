import type { Encoding } from "../../../../contract/lists/files.ts";
import { koreanDecoder } from "./korean-decoder.ts";

/** Decodes a file chunk by chunk; a character may be cut by the end of a chunk. */
export interface Decoder {
  write(chunk: Buffer): string;
  end(): string;
}

/** Returns a decoder that replaces invalid bytes by U+FFFD, and keeps a byte order mark. */
export function decoderOf(encoding: Encoding): Decoder {
  if (encoding === "euc-kr") return koreanDecoder();
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
}

/** Returns a decoder of UTF-8 that throws at invalid bytes. */
export function strictUtf8(): Decoder {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
}
