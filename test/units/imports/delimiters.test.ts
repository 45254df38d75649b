import assert from "node:assert/strict";
import { test } from "node:test";
import { detectDelimiter, endOfHeader } from "../../../src/domain/imports/file/detect-delimiter.ts";

for (const [header, expected] of [
  ["name,email", ","],
  ["name;email", ";"],
  ["name\temail", "\t"],
  ["name|email", "|"],
  ["name", ","],
  ["", ","],
  ["name;price, net;tax, due;email", ";"],
  ['"last, first, middle";email', ";"],
  ['"a ""quoted, odd, long"" name";email', ";"],
  ['"name";"e-mail, first, second, third"', ";"],
  ["name;e-mail,phone", ","],
] as const)
  test(`the header ${JSON.stringify(header)} is cut at ${JSON.stringify(expected)}`, () => {
    assert.equal(detectDelimiter(header), expected);
  });

test("the header ends at the first line break outside of quotes", () => {
  assert.equal(endOfHeader("a,b\n1,2\n"), 3);
  assert.equal(endOfHeader("a,b\r\n1,2"), 3);
  assert.equal(endOfHeader('"a\nb",c\n1,2'), 7);
  assert.equal(endOfHeader('"a ""\n"" b",c\n1'), 13);
  assert.equal(endOfHeader("a,b"), -1);
  assert.equal(endOfHeader('"a\nb'), -1);
});
