import { readFileSync } from "node:fs";

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** The heading above it. */
  title: string;
  /** The last line with words above it. */
  above: string;
}

/**
 * Returns the fenced blocks of a page of docs/operate, in order, for a test that runs all of them.
 * test/units/docs/blocks.test.ts finds blocks that no test takes.
 */
export function blocksOf(page: string): Block[] {
  return blocksIn(readFileSync(new URL(`../../../docs/operate/${page}`, import.meta.url), "utf8"), page);
}

/** Returns the fenced blocks of a text, in order, without the indentation of a list that they stand in. */
export function blocksIn(text: string, page: string): Block[] {
  const blocks: Block[] = [];
  let title = "";
  let above = "";
  let open: Block | undefined;
  let indent = "";
  for (const line of text.split("\n")) {
    const [, before = "", language] = /^( *)```(\S*)/.exec(line) ?? [];
    if (language !== undefined && open === undefined) {
      open = { language, text: "", title, above };
      indent = before;
    } else if (language !== undefined && open !== undefined) {
      blocks.push(open);
      open = undefined;
    } else if (open !== undefined)
      open.text += `${line.startsWith(indent) ? line.slice(indent.length) : line}\n`;
    else {
      title = /^#+ (.+)/.exec(line)?.[1] ?? title;
      above = line.trim() === "" ? above : line;
    }
  }
  if (open !== undefined) throw new Error(`a block under "${open.title}" of ${page} does not end`);
  return blocks;
}

/** Returns the text of the first block under a heading of a page, or of a later one; throws if there is none. */
export function blockOf(page: string, title: string, at = 0): string {
  const block = blocksOf(page).filter((one) => one.title === title)[at];
  if (block === undefined) throw new Error(`${page} has no block ${at} under "${title}"`);
  return block.text;
}
