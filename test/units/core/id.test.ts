import assert from "node:assert/strict";
import { test } from "node:test";
import { idsFrom, isId, newId } from "../../../src/core/id.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns the 128 bits of an id. */
const bitsOf = (id: string): bigint =>
  [...id.slice(id.indexOf("_") + 1)].reduce(
    (bits, character) => bits * 32n + BigInt(ALPHABET.indexOf(character)),
    0n,
  );

test("thousands of ids are different UUIDv7 in the order in which they were made, and each of their random bits varies", () => {
  const ids = Array.from({ length: 10_000 }, () => newId("lead"));
  assert.ok(ids.every((id) => isId("lead", id)));
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  const all = ids.map(bitsOf);
  for (const bits of all) assert.deepEqual([(bits >> 76n) & 15n, (bits >> 62n) & 3n], [7n, 2n]);
  for (let bit = 0n; bit < 62n; bit += 1n) {
    const ones = all.filter((bits) => (bits >> bit) & 1n).length;
    assert.ok(ones > 4_000 && ones < 6_000, `bit ${bit} is 1 in ${ones} of 10,000`);
    const asNext =
      bit === 61n ? 5_000 : all.filter((bits) => ((bits >> bit) ^ (bits >> (bit + 1n))) & 1n).length;
    assert.ok(asNext > 4_000 && asNext < 6_000, `bit ${bit} differs from the next one in ${asNext}`);
  }
});

test("the ids of a time begin where those of earlier times end", () => {
  const before = Date.now();
  const id = newId("chg");
  assert.ok(idsFrom("chg", before) <= id && id < idsFrom("chg", Date.now() + 2));
  assert.deepEqual(
    [-1, 0, 31, 32, 2 ** 60].map((ms) => idsFrom("chg", ms)),
    ["chg_0000000000", "chg_0000000000", "chg_000000000z", "chg_0000000010", "chg_7zzzzzzzzz"],
  );
});
