import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { blocksOf } from "../../operate/support/blocks.ts";

const PAGES = ["../running.md", ...globSync("docs/operate/*.md").map((path) => basename(path))];
/** The calls by which a test takes all blocks of a page, or one of them. */
const ALL = /\bblocksOf\(\s*"([^"]+)",?\s*\)/g;
const ONE = /\bblockOf\(\s*"([^"]+)",\s*"([^"]+)"(?:,\s*(\d+))?,?\s*\)/g;

test("every block of docs/running.md and docs/operate is run by a test", () => {
  const tests = globSync("test/**/*.ts").map((path) => readFileSync(path, "utf8"));
  const taken = (calls: RegExp) => tests.flatMap((text) => [...text.matchAll(calls)]);
  const wholePages = new Set(taken(ALL).map(([, page]) => page));
  const named = new Set(taken(ONE).map(([, page, title, at = "0"]) => `${page}: ${title}, ${at}`));
  const blocks = PAGES.filter((page) => !wholePages.has(page)).flatMap((page) => {
    const titles = blocksOf(page).map(({ title }) => title);
    return titles.map((title, i) => {
      const before = titles.slice(0, i).filter((each) => each === title).length;
      return `${page}: ${title}, ${before}`;
    });
  });
  assert.deepEqual(
    blocks.filter((block) => !named.has(block)),
    [],
  );
  assert.ok(blocks.length > 20, "most pages have blocks");
});
