/**
 * One of the few processes that run the tests: takes one file after the other from the run's list, until none is left.
 * Its argument is the run's folder, where `files.json` has the list and each file that was taken leaves a mark.
 */
import { createHook } from "node:async_hooks";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { before, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { endOfFile } from "./ends.ts";
import { isWholeFile, type Registered, takeRegistered, takeWhole } from "./large.ts";
import { processorTime } from "./processor-time.ts";
import { CannotRun } from "./programs.ts";

/** What the run's end needs to know of a test or a file: milliseconds of the clock and of the processor. */
export interface Spent {
  file: string;
  test?: string;
  /** The line of the file that registers the test. */
  line?: number;
  ms: number;
  processorMs: number;
}

const [folder = ""] = process.argv.slice(2);
const { files, reverse, until } = JSON.parse(readFileSync(join(folder, "files.json"), "utf8")) as {
  files: string[];
  reverse: boolean;
  /** From this moment on, no file is begun. */
  until: number | null;
};
/** The longest timeout that there is: a file may take longer than one of its tests. */
const LONGEST_MS = 2 ** 31 - 1;
// Ends the process only at the end: a test that waits for nothing would end it, and all tests after it.
const alive = setInterval(() => undefined, 60_000);
/** Rejects what the current test is waited for with. */
let failCurrent: ((error: unknown) => void) | undefined;
replaceNodeTest();
startRunner();

for (const [index, file] of files.entries()) {
  if (until !== null && Date.now() > until) break;
  if (!isTaken(index)) continue;
  const end = startSpending();
  await test(file, { timeout: LONGEST_MS }, (t) => runFile(t, file));
  await endOfFile();
  end({ file });
}
// The last results are on their way to standard output, which blocks.
await sleep(100);
clearInterval(alive);
process.exit(0);

/** Runs the tests of a file one after the other, from the last to the first in a run in reverse. */
async function runFile(t: TestContext, file: string): Promise<void> {
  takeWhole(isWholeFile(readFileSync(file, "utf8")));
  await import(pathToFileURL(resolve(file)).href);
  const { tests, befores, afters } = takeRegistered();
  if (tests.length > 0) for (const hook of befores) await hook();
  for (const each of reverse ? tests.reverse() : tests) await runTest(t, file, each);
  for (const hook of afters) await hook();
}

async function runTest(
  t: TestContext,
  file: string,
  { name, options, run, line }: Registered,
): Promise<void> {
  const end = startSpending();
  await t.test(name, options, async (inner) => {
    const failed = new Promise<never>((_, reject) => {
      failCurrent = reject;
    });
    try {
      await Promise.race([run(inner), failed]);
    } catch (error) {
      if (error instanceof CannotRun) return inner.skip(error.message);
      inner.diagnostic(`${file}:${line}`);
      throw error;
    }
  });
  failCurrent = undefined;
  end({ file, test: name, line });
}

/** Returns a function that notes what has been spent since. */
function startSpending(): (of: Omit<Spent, "ms" | "processorMs">) => void {
  // Not `performance.now()`, which some tests replace.
  const milliseconds = () => Number(process.hrtime.bigint() / 1_000_000n);
  const [ms, processor] = [milliseconds(), processorTime()];
  return (of) => {
    const spent: Spent = { ...of, ms: milliseconds() - ms, processorMs: processorTime() - processor };
    appendFileSync(join(folder, "spent.jsonl"), `${JSON.stringify(spent)}\n`);
  };
}

/**
 * Starts node's runner without its hook on every asynchronous resource, which costs a tenth of a run (decision 40). It asks
 * the hook which test is running, when one is registered and when nobody catches an error; here, one is running at a time.
 */
function startRunner(): void {
  const hooks = Object.getPrototypeOf(createHook({})) as { enable(): unknown };
  const { enable } = hooks;
  hooks.enable = function () {
    return this;
  };
  // The first call starts it.
  before(() => undefined);
  hooks.enable = enable;
  for (const event of ["uncaughtException", "unhandledRejection"]) process.removeAllListeners(event);
  process.on("uncaughtException", (error) => {
    if (failCurrent !== undefined) return failCurrent(error);
    console.error(error);
    process.exit(1);
  });
}

/** Whether this process takes the file: the first that leaves its mark does. */
function isTaken(index: number): boolean {
  try {
    writeFileSync(join(folder, `taken-${index}`), String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Gives the files another `test`, which knows the tier of the run, and that one test is run at a time. */
function replaceNodeTest(): void {
  const other = new URL("./large.ts", import.meta.url).href;
  registerHooks({
    resolve: (name, context, next) =>
      name === "node:test" && context.parentURL !== other
        ? { url: other, shortCircuit: true }
        : next(name, context),
  });
}
