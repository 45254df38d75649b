import type { Page } from "playwright-core";

/** Each text within the main part of the page that matches, with the number of lines that the browser broke it into. */
export const linesOf = (page: Page, pattern: RegExp): Promise<[text: string, lines: number][]> =>
  page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node; (node = walker.nextNode()) !== null; ) {
      for (const { 0: text, index } of node.data.matchAll(new RegExp(${JSON.stringify(pattern.source)}, "gu"))) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + text.length);
        found.push([text, new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size]);
      }
    }
    return found;
  })()`);
