/**
 * What a test file registers: its worker takes the place of node:test by this module (see worker.ts), which keeps the tests
 * of the run's tier until the whole file is read, and then runs them one after the other.
 */
import { mock, type TestContext, type TestOptions } from "node:test";
import { getCallSites } from "node:util";

type Run = (t: TestContext) => unknown;
type Arguments = [name: string, run: Run] | [name: string, options: TestOptions, run: Run];
type Hook = () => unknown;

/** A test of the current file, and the line that registers it. */
export interface Registered {
  name: string;
  options: TestOptions;
  run: Run;
  line: number;
}

/** The tier that this run has the tests of; undefined if it runs files that somebody named. */
const tier = process.env.LEADGATE_TEST_TIER;
let registered: Registered[] = [];
let [befores, afters]: [Hook[], Hook[]] = [[], []];
let common: TestOptions = {};
let isWhole = false;

export { mock };

/** A test of the first tier. */
export function test(...words: Arguments): void {
  if (tier !== "second" || isWhole) register(words);
}

/** A test of the second tier: `npm run test:all` runs it, `npm test` does not. Its small case is in test/tiers.json. */
export function large(...words: Arguments): void {
  if (tier !== "first") register(words);
}

/** Gives the tests of a group options in common. */
export function describe(...words: [string, () => void] | [string, TestOptions, () => void]): void {
  const [, options, group] = words.length === 2 ? [words[0], {}, words[1]] : words;
  common = options;
  group();
  common = {};
}

export function before(hook: Hook): void {
  befores.push(hook);
}

export function after(hook: Hook): void {
  afters.push(hook);
}

/** Whether all tests of a file are run in the second tier too: those that look at pages, for axe looks at them there. */
export const isWholeFile = (text: string): boolean => /\bcheckPage\(/.test(text);

/** Says of the next file whether `isWholeFile`. */
export function takeWhole(whole: boolean): void {
  isWhole = whole;
}

/** Returns what a file has registered since the last call. */
export function takeRegistered(): { tests: Registered[]; befores: Hook[]; afters: Hook[] } {
  const taken = { tests: registered, befores, afters };
  [registered, befores, afters] = [[], [], []];
  return taken;
}

function register(words: Arguments): void {
  const [name, options, run] = words.length === 2 ? [words[0], {}, words[1]] : words;
  const line = getCallSites(3).at(-1)?.lineNumber ?? 0;
  registered.push({ name, options: { ...common, ...options }, run, line });
}
