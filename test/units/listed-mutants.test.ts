import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { listedMutants, placed } from "../mutate/list.ts";

test("each mutant of the list still applies: its line is in its file exactly once, and the change differs", () => {
  const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  for (const mutant of listedMutants()) placed(mutant, read(mutant.file));
});

test("a mutant whose line is gone, stands twice or stays as it is does not apply", () => {
  const mutant = { about: "", file: "a.ts", line: "if (a) return;", change: "", tests: [] };
  assert.equal(placed(mutant, "b();\n  if (a) return;\n").start, 7);
  assert.throws(() => placed(mutant, "if (a) return 1;\n"), /a\.ts has this line 0 times/);
  assert.throws(() => placed(mutant, undefined), /0 times/);
  assert.throws(() => placed(mutant, "if (a) return;\n  if (a) return;\n"), /2 times/);
  assert.throws(() => placed({ ...mutant, change: mutant.line }, "if (a) return;"), /nothing changes/);
});

test("the list has a hundred mutants, 25 of them in the panel, and each names test files that are there", () => {
  const list = listedMutants();
  const panel = list.filter(({ file }) => file.startsWith("web/src/"));
  assert.deepEqual([list.length, panel.length], [100, 25]);
  assert.equal(new Set(list.map(({ file, change, line }) => `${file} ${line} ${change}`)).size, 100);
  assert.deepEqual(
    list.filter(({ tests }) => !tests.every((test) => existsSync(test))).map(({ about }) => about),
    [],
  );
});
