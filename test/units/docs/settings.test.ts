import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { readConfig } from "../../../src/config/config.ts";
import { SECRETS } from "../../../src/config/read-secret-files.ts";
import { blockOf } from "../../operate/support/blocks.ts";

/** Returns the names and the row of each line of the table of settings. */
function rows(): { names: string[]; row: string }[] {
  const page = readFileSync("docs/running.md", "utf8");
  const [, section = ""] = /\n## Settings\n([\s\S]*?)\n## /.exec(page) ?? [];
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((row) => ({ names: namesIn(row.split("|")[1] ?? ""), row }));
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([A-Z]\w*\*?)`/g)].map(([, name = ""]) => name);

/** Returns the names of variables that the configuration reads. */
function read(): string[] {
  const text = globSync("src/config/*.ts")
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const names = /\benv\.([A-Z][A-Z0-9_]+)\b|\(env, "([A-Z][A-Z0-9_]+)"|"([A-Z][A-Z0-9]*_[A-Z0-9_]+)"/g;
  return [
    ...new Set(
      [...text.matchAll(names)].map(([, member, argument, literal]) => member ?? argument ?? literal ?? ""),
    ),
  ].sort();
}

test("running.md: the table of settings lists each variable that is read, once, and no other", () => {
  const listed = rows().flatMap(({ names, row }) =>
    names.flatMap((name) => {
      if (!name.endsWith("*")) return [name];
      // `OTEL_*` stands for all names of its kind that the linked page has.
      const [, page = ""] = /\((operate\/[\w-]+\.md)/.exec(row) ?? [];
      const all = namesIn(readFileSync(`docs/${page}`, "utf8"));
      return [...new Set(all)].filter((each) => each.startsWith(name.slice(0, -1)) && !each.endsWith("*"));
    }),
  );
  assert.deepEqual(listed.filter((name) => name !== "NAME_FILE").sort(), read());
});

test("running.md: the row of NAME_FILE names each secret that can be read from a file, and no other", () => {
  const { row = "" } = rows().find(({ names }) => names.includes("NAME_FILE")) ?? {};
  const named = [...row.matchAll(/`([A-Z0-9_]{2,})`/g)].map(([, name = ""]) => name);
  assert.deepEqual(
    named.filter((name) => name !== "NAME_FILE" && name !== "NAME").sort(),
    [...SECRETS].sort(),
  );
});

test("limits.md: the example removes and raises the limits that the page says", () => {
  const LIMITS = JSON.stringify(JSON.parse(blockOf("limits.md", "Limits")));
  const { limits, registrationsPerHour, registrationRanges } = readConfig({ LIMITS });
  assert.deepEqual([limits.api, limits.datasetReads], [null, { each: 10_000, burst: 600 }]);
  assert.deepEqual([registrationsPerHour, registrationRanges], [10, { "203.0.113.0/24": null }]);
});
