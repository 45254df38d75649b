import type { Answer, Checked, Checker } from "./check.ts";
import { ANSWERS_LOG, collectInto } from "./log.ts";

let loaded: Promise<Checker> | undefined;

/** Loads the documents with the first answer: loading modules is a large part of a short test. */
export function checker(): Promise<Checker> {
  loaded ??= import("./documents.ts").then(({ documented }) => documented());
  return loaded;
}

/** Fails the test for an answer that is not as described; with ANSWERS_LOG, it collects all answers instead. */
export const report = ANSWERS_LOG === undefined ? fail : collectInto(ANSWERS_LOG);

/** Checks an answer that was not received by fetch. */
export async function expectDescribed(answer: Answer): Promise<void> {
  const found = (await checker()).check(answer);
  if (found !== undefined) report(answer, found);
}

function fail({ method, path, status }: Answer, { lies }: Checked): void {
  if (lies.length === 0) return;
  const told = lies.map(({ what, sample }) => (sample === "" ? what : `${what} (${sample})`)).join("; ");
  throw new Error(`${method} ${path}: ${status} is not as described: ${told}`);
}
