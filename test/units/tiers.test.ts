import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

/**
 * The names of all tests as their files have them, by tier. For each name of the second tier, the test of the first one
 * that is its small case. UPDATE_DOCS=1 writes it; small cases are filled in by hand.
 */
const LIST = "test/tiers.json";
/** At most this part of the names is in the second tier. */
const MOST_LARGE = 0.15;
/** What has to be known after each change, so it is never in the second tier alone. */
const NEVER_LARGE = [
  "test/api/isolation.test.ts",
  "test/walls.test.ts",
  "test/oauth/tokens/races.test.ts",
  "test/service.test.ts",
];

interface Tiers {
  first: string[];
  second: Record<string, string>;
}

const namesIn = (path: string, by: string): string[] =>
  [
    ...readFileSync(path, "utf8").matchAll(
      new RegExp(`^ *(?:${by})\\(\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|\`([^\`]*)\`)`, "gm"),
    ),
  ].map(([, plain, template]) => plain?.replaceAll('\\"', '"') ?? template ?? "");

const files = globSync("test/**/*.test.ts").sort();
const first = files.flatMap((path) => namesIn(path, "test")).sort();
const second = files.flatMap((path) => namesIn(path, "large")).sort();
const kept = JSON.parse(readFileSync(LIST, "utf8")) as Tiers;

test("the list has the name of each test with its tier, and each of the second tier has a small case in the first", () => {
  if (process.env.UPDATE_DOCS === "1") {
    const small = Object.fromEntries(second.map((name) => [name, kept.second[name] ?? ""]));
    writeFileSync(LIST, `${JSON.stringify({ first, second: small }, null, 2)}\n`);
    return;
  }
  const hint = "UPDATE_DOCS=1 npm test -- test/units/tiers.test.ts writes the list";
  assert.deepEqual(kept.first, first, hint);
  assert.deepEqual(Object.keys(kept.second), [...new Set(second)], hint);
  const known = new Set(first);
  const without = Object.entries(kept.second).filter(([, small]) => !known.has(small));
  assert.deepEqual(without, [], "each test of the second tier names its small case in the first");
});

test("at most 15 % of the tests are in the second tier", () => {
  const part = second.length / (first.length + second.length);
  assert.ok(part <= MOST_LARGE, `${second.length} of ${first.length + second.length}`);
  for (const path of NEVER_LARGE) assert.ok(files.includes(path), path);
});

test("no two tests of a file have one name", () => {
  const twice = files.flatMap((path) => {
    const names = namesIn(path, "test|large");
    return names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(twice, []);
});
