import assert from "node:assert/strict";
import { test } from "node:test";
import { folded } from "../../../src/core/folded.ts";

const SAME: [string, string][] = [
  ["São Paulo", "sao paulo"],
  ["a\u00a0b", "a b"],
  ["a\u2009b\u3000c\u1680d", "a b c d"],
  ["한국".normalize("NFD"), "한국"],
  ["ΣΟΦΟΣ", "σοφοσ"],
  ["σοφός", "ΣΟΦΟΣ"],
  [" Gold\u202f", "gold"],
];

test("names are the same in any case, with any accents, blanks and sigmas, composed or not", () => {
  for (const [one, other] of SAME) assert.equal(folded(one), folded(other), JSON.stringify(one));
  assert.notEqual(folded("ab"), folded("a b"));
});
