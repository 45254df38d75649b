import assert from "node:assert/strict";
import { test } from "node:test";
import { nextSigningKey, signWith } from "../../../src/domain/upkeep/signing-key.ts";

/** The key that signs, what each instance knows (the deciding one first), and what signs then. */
const CASES: readonly [current: string, known: string[], next: string][] = [
  ["old", ["old"], "old"],
  ["old", ["new old"], "new"],
  ["old", ["new old", "old"], "old"],
  ["old", ["old", "new old"], "old"],
  ["old", ["new old", "new old"], "new"],
  ["old", ["new old", "new old", "old"], "old"],
  ["new", ["new", "new old"], "new"],
  ["new", ["new old", "new"], "new"],
  // back to the former key, in the same two steps
  ["new", ["old new", "new old"], "new"],
  ["new", ["old new", "old new"], "old"],
  // two instances that disagree about the order do not change it back and forth
  ["old", ["new old", "old new"], "old"],
  ["new", ["old new", "new old"], "new"],
  // two changes at once
  ["old", ["newest new old", "new old"], "new"],
  ["old", ["newest new old", "newest old", "new old"], "old"],
  // an instance that does not know what signs has come back
  ["new", ["new old", "old"], "old"],
  ["new", ["old", "new old"], "old"],
  // nothing that all know
  ["new", ["new", "old"], "new"],
];

test("the newest key that all instances know signs next, unless one of them puts it behind the one that signs", () => {
  for (const [current, known, next] of CASES) {
    const lists = known.map((keys) => keys.split(" "));
    assert.equal(nextSigningKey(current, lists), next, `${current}: ${known.join(" | ")}`);
  }
});

test("a key that is not known changes no order", () => {
  const keys = ["a".repeat(32), "b".repeat(32)];
  signWith(keys, "0123456789abcdef");
  assert.deepEqual(keys, ["a".repeat(32), "b".repeat(32)]);
});
