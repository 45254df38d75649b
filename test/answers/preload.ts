import type { Answer, Checked, Checker } from "./check.ts";
import { checkedFetch } from "./checked-fetch.ts";
import { ANSWERS_LOG, collectInto } from "./log.ts";

let checker: Promise<Checker> | undefined;

/** Loads the documents with the first answer: loading modules is a large part of a short test. */
const described = (): Promise<Checker> => {
  checker ??= import("./documents.ts").then(({ documented }) => documented());
  return checker;
};

function fail({ method, path, status }: Answer, { lies }: Checked): void {
  if (lies.length === 0) return;
  const told = lies.map(({ what, sample }) => (sample === "" ? what : `${what} (${sample})`)).join("; ");
  throw new Error(`${method} ${path}: ${status} is not as described: ${told}`);
}

globalThis.fetch = checkedFetch(
  globalThis.fetch,
  described,
  ANSWERS_LOG === undefined ? fail : collectInto(ANSWERS_LOG),
);
