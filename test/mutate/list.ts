import { readFileSync } from "node:fs";
import type { Mutant } from "./mutants.ts";

const LIST = "test/mutate/list.json";

/** A mutant that is kept, so that the same ones are tried whenever the tests change. */
export interface ListedMutant {
  /** The promise that it breaks, behind the kind of promise. */
  about: string;
  file: string;
  /** The line, without the spaces around it, and what stands there instead. */
  line: string;
  change: string;
  /** The test files that are expected to notice it, those first that notice it soonest. */
  tests: string[];
}

export const listedMutants = (): ListedMutant[] => JSON.parse(readFileSync(LIST, "utf8")) as ListedMutant[];

/** Where a mutant of the list stands in its file's text; throws if its line is not there exactly once or stays as it is. */
export function placed({ file, line, change }: ListedMutant, text: string | undefined): Mutant {
  const found = [...lineStarts(text ?? "", line)];
  const [start] = found;
  if (start === undefined || found.length > 1)
    throw new Error(`${LIST}: ${file} has this line ${found.length} times: ${line}`);
  if (change === line) throw new Error(`${LIST}: nothing changes in ${file}: ${line}`);
  return { file, start, end: start + line.length, from: line, to: change };
}

function* lineStarts(text: string, wanted: string): Generator<number> {
  let at = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === wanted) yield at + line.indexOf(wanted);
    at += line.length + 1;
  }
}
