import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Checked } from "./check.ts";

/** The file that collects answers and what is not as described, instead of failing tests. */
export const ANSWERS_LOG = process.env.ANSWERS_LOG;

/** Returns a function that adds answers and their lies to a file, each once for this process. */
export function collectInto(file: string): (answer: unknown, checked: Checked) => void {
  const collected = new Set<string>();
  const add = (entry: string, sample: string) => {
    if (collected.has(entry)) return;
    collected.add(entry);
    appendFileSync(file, `${entry}\t${sample.replace(/\s/g, " ")}\n`);
  };
  return (_, { answer, lies }) => {
    add(`seen\t${answer}`, "");
    for (const { what, sample } of lies)
      add(`lie\t${answer}\t${what.replace(/\/\d+(?=[/ ])/g, "/*")}`, sample);
  };
}

/** Returns what a file tells: the distinct lies, and which of the documented answers no test received. */
export function reportOf(file: string, documented: readonly string[]): string {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const cells = lines.map((line) => line.split("\t"));
  const seen = new Set(cells.flatMap(([kind, answer = ""]) => (kind === "seen" ? answer : [])));
  const lies = new Set(cells.flatMap(([kind, answer, what]) => (kind === "lie" ? `${answer} ${what}` : [])));
  const unseen = documented.filter((answer) => !seen.has(answer));
  return [
    `${lies.size} kinds of answers are not as described:`,
    ...[...lies].sort().map((lie) => `  ${lie}`),
    `${unseen.length} of ${documented.length} documented answers were received by no test:`,
    ...unseen.map((answer) => `  ${answer}`),
  ].join("\n");
}
