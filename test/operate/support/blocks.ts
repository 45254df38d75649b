import { readFileSync } from "node:fs";

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** The heading above it. */
  title: string;
}

/** Returns the fenced blocks of a page of docs/operate, in order, each with the heading above it. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(new URL(`../../../docs/operate/${page}`, import.meta.url), "utf8");
  const blocks: Block[] = [];
  let title = "";
  let open: Block | undefined;
  for (const line of text.split("\n")) {
    const [, language] = /^ *```(\S*)/.exec(line) ?? [];
    if (language !== undefined && open === undefined) open = { language, text: "", title };
    else if (language !== undefined && open !== undefined) {
      blocks.push(open);
      open = undefined;
    } else if (open !== undefined) open.text += `${line}\n`;
    else title = /^#+ (.+)/.exec(line)?.[1] ?? title;
  }
  if (open !== undefined) throw new Error(`a block under "${open.title}" of ${page} does not end`);
  return blocks;
}
