import { DELIMITERS } from "../../../contract/lists/files.ts";

/** Returns the most frequent delimiter outside quotes in the header line, by default a comma. */
export function detectDelimiter(header: string): string {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of header) {
    if (character === '"') quoted = !quoted;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const count = (candidate: string) => counts.get(candidate) ?? 0;
  return DELIMITERS.reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best), ",");
}

/** The end of the header line: the first line break outside quotes, or -1. */
export function endOfHeader(text: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) return i;
  }
  return -1;
}
