import assert from "node:assert/strict";
import { test } from "node:test";
import { mistypedPatterns } from "../../../src/domain/filter/read/search-words.ts";

const FOUND: [typed: string, meant: string][] = [
  ["souxa", "souza"],
  ["xouza", "souza"],
  ["soxza", "souza"],
  ["souzx", "souza"],
  ["suza", "souza"],
  ["souuza", "souza"],
  ["suoza", "souza"],
  ["souaz", "souza"],
  ["osuza", "souza"],
  ["Julianna", "juliana"],
  ["Fernadno", "fernando"],
  ["jaun", "juan"],
  ["JÓAO", "joao"],
];
const NOT_FOUND: [typed: string, other: string][] = [
  ["suzo", "souza"],
  ["souza", "lima"],
  ["jxan", "juan"],
  ["ana", "ama"],
  ["12345", "12346"],
  ["ana@example.org", "anna@example.org"],
  ["a".repeat(17), "a".repeat(18)],
];

const like = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll("_", ".")}`, "u");
const finds = (typed: string, word: string): boolean =>
  mistypedPatterns(typed).some((pattern) => like(pattern).test(word));

test("a word with one letter wrong, missing, too many or swapped finds what was meant, and no word with two mistakes", () => {
  for (const [typed, meant] of FOUND) assert.ok(finds(typed, meant), `${typed}, ${meant}`);
  for (const [typed, other] of NOT_FOUND) assert.ok(!finds(typed, other), `${typed}, ${other}`);
});

test("every pattern has what a trigram index looks up: the first two letters, or three in a row", () => {
  for (const typed of [...FOUND, ...NOT_FOUND].map(([each]) => each))
    for (const pattern of mistypedPatterns(typed)) assert.match(pattern, /^[^_]{2}|[^_]{3}/);
  assert.ok(mistypedPatterns("abcdefghijklmnop").length < 64);
});
