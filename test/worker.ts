/**
 * One of the few processes that run the tests: takes one file after the other from the run's list, until none is left.
 * Its argument is the run's folder, where `files.json` has the list and each file that was taken leaves a mark.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, suite } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { endOfFile } from "./ends.ts";
import { isWholeFile, keep, registerKept, takeWhole } from "./large.ts";
import { processorTime } from "./processor-time.ts";

/** What the run's end needs to know of a test or a file: milliseconds of the clock and of the processor. */
export interface Spent {
  file: string;
  test?: string;
  ms: number;
  processorMs: number;
}

const [folder = ""] = process.argv.slice(2);
const { files, reverse } = JSON.parse(readFileSync(join(folder, "files.json"), "utf8")) as {
  files: string[];
  reverse: boolean;
};
// Ends the process only at the end: a test that waits for nothing would end it, and all tests after it.
const alive = setInterval(() => undefined, 60_000);
if (reverse || process.env.LEADGATE_TEST_TIER === "second") replaceTest();

let current = "";
/** Not `performance.now()`, which some tests replace. */
const milliseconds = () => Number(process.hrtime.bigint() / 1_000_000n);
const started = new Map<string, { at: number; processor: number }>();
const spent = (of: Spent) => appendFileSync(join(folder, "spent.jsonl"), `${JSON.stringify(of)}\n`);
beforeEach((t) => {
  started.set(t.fullName, { at: milliseconds(), processor: processorTime() });
});
afterEach((t) => {
  const start = started.get(t.fullName);
  started.delete(t.fullName);
  if (start === undefined) return;
  const [ms, processorMs] = [milliseconds() - start.at, processorTime() - start.processor];
  spent({ file: current, test: t.name, ms, processorMs });
});

for (const [index, file] of files.entries()) {
  if (!isTaken(index)) continue;
  current = file;
  const start = { at: milliseconds(), processor: processorTime() };
  await suite(file, async () => {
    if (reverse) keep();
    takeWhole(isWholeFile(readFileSync(file, "utf8")));
    await import(pathToFileURL(resolve(file)).href);
    registerKept();
  });
  await endOfFile();
  spent({ file, ms: milliseconds() - start.at, processorMs: processorTime() - start.processor });
}
// The last results are on their way to standard output, which blocks.
await sleep(100);
clearInterval(alive);
process.exit(0);

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

/** Gives the files another `test`, which knows the tier of the run and its order. */
function replaceTest(): void {
  const other = new URL("./ordinary.ts", import.meta.url).href;
  const ours = new Set(["./ordinary.ts", "./large.ts"].map((name) => new URL(name, import.meta.url).href));
  registerHooks({
    resolve: (name, context, next) =>
      name === "node:test" && !ours.has(context.parentURL ?? "")
        ? { url: other, shortCircuit: true }
        : next(name, context),
  });
}
