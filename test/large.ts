import { type TestContext, type TestOptions, test } from "node:test";

type Run = (t: TestContext) => unknown;
type Arguments = [name: string, run: Run] | [name: string, options: TestOptions, run: Run];

/** The tier that this run has the tests of; undefined if it runs files that somebody named. */
const tier = process.env.LEADGATE_TEST_TIER;
let kept: Arguments[] | undefined;
let isWhole = false;

/** A test of the second tier: `npm run test:all` runs it, `npm test` does not. Its small case is in test/tiers.json. */
export function large(...words: Arguments): void {
  if (tier !== "first") register(words);
}

/** What `test` of node:test is in a run of the second tier, or in reverse. */
export function ordinary(...words: Arguments): void {
  if (tier !== "second" || isWhole) register(words);
}

/** Whether all tests of a file are run in the second tier too: those that look at pages, for axe looks at them there. */
export const isWholeFile = (text: string): boolean => /\bcheckPage\(/.test(text);

/** Says of the next file whether `isWholeFile`. */
export function takeWhole(whole: boolean): void {
  isWhole = whole;
}

/** Keeps the tests of the next file, to register the last one first by `registerKept`. */
export function keep(): void {
  kept = [];
}

export function registerKept(): void {
  const all = kept ?? [];
  kept = undefined;
  for (const words of all.reverse()) now(words);
}

function register(words: Arguments): void {
  if (kept === undefined) now(words);
  else kept.push(words);
}

function now(words: Arguments): void {
  const [name, options, run] = words.length === 2 ? [words[0], {}, words[1]] : words;
  void test(name, options, async (t) => {
    await run(t);
  });
}
