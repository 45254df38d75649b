import { readFileSync } from "node:fs";
import { type Checker, checkerOf } from "./check.ts";

/** Returns a checker of all documented answers of the service. */
export function documented(): Checker {
  const read = (name: string) =>
    JSON.parse(readFileSync(`${process.env.ANSWERS_DOCUMENTS}/${name}.json`, "utf8"));
  return checkerOf({ api: read("api"), web: read("web") });
}
