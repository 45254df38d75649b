import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { large } from "../large.ts";
import { workbench } from "../mutate/workbench.ts";
import { apply, GUIDES, stepsOf } from "./steps.ts";

const CLIENT = "clients/typescript/node_modules";
const copy = workbench();
symlinkSync(resolve(CLIENT), join(copy.folder, CLIENT));
after(() => copy[Symbol.dispose]());

/** What this run of the tests tells its own tests must not reach those of the copy. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(LEADGATE_TEST_|NODE_TEST_|NODE_COMPILE_CACHE|ANSWERS_LOG)/.test(name),
  ),
);

/** Runs commands in the copy; fails with the end of what they printed. */
function run(commands: string): Promise<void> {
  return new Promise((done, fail) =>
    execFile("bash", ["-euc", commands], { cwd: copy.folder, env, maxBuffer: 2 ** 26 }, (error, out, err) =>
      error === null ? done() : fail(new Error(`${commands}\n${out.slice(-6_000)}${err.slice(-6_000)}`)),
    ),
  );
}

for (const title of GUIDES)
  large(
    `"${title}" of CONTRIBUTING, done step by step, passes the checks and the tests that it names`,
    {
      timeout: 900_000,
    },
    async (t) => {
      const touched = new Set<string>();
      for (const step of stepsOf(title)) {
        if ("run" in step) await run(step.run);
        else touched.add(apply(step, copy.folder));
      }
      t.diagnostic(`${touched.size} files: ${[...touched].join(", ")}`);
    },
  );
