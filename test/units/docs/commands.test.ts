import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { allCommands } from "../../../src/cli/run.ts";
import { blockOf } from "../../operate/support/blocks.ts";

const PAGE = "docs/running.md";

const leadgate = (...words: string[]) =>
  spawnSync(process.execPath, ["src/main.ts", ...words], { encoding: "utf8" });

test("running.md: the list of commands is what --help prints; UPDATE_DOCS=1 writes it", () => {
  const { stdout, status } = leadgate("--help");
  assert.equal(status, 0);
  const listed = blockOf("../running.md", "Commands", 1);
  if (process.env.UPDATE_DOCS === "1") {
    writeFileSync(
      PAGE,
      readFileSync(PAGE, "utf8").replace(listed, () => stdout),
    );
  } else assert.equal(listed, stdout);
});

test("a command with --help prints its usage and does nothing; one that is wrong exits with 2", () => {
  const help = leadgate("project", "create", "--name", "--help");
  assert.deepEqual([help.status, help.stderr], [0, ""]);
  assert.match(
    help.stdout,
    /^Commands:\n {2}leadgate project create --name NAME .*\n {6}the owner has an account/,
  );
  const wrong = leadgate("project", "destroy");
  assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /^Commands:\n {2}leadgate serve\n/);
});

test("the usage of each command has all of its options, those that may be left out in brackets, and says what it does", async () => {
  for (const { name, usage, options, required } of await allCommands()) {
    assert.match(usage, / {3}\(.+\)$/s, name);
    const [line = ""] = usage.split("   (");
    assert.ok(line.startsWith(name), usage);
    const shown = [...line.matchAll(/(\[?)--([a-z-]+)/g)].map(([, bracket, option]) => [
      option,
      bracket === "",
    ]);
    const declared = Object.keys(options).map((option) => [option, required.includes(option)]);
    assert.deepEqual(shown.sort(), declared.sort(), name);
  }
});
