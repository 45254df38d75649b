import assert from "node:assert/strict";
import { test } from "node:test";
import { FIELD_BY_NAME, type Field } from "../../../src/domain/fields/lead-field.ts";
import { type UnknownOption, unknownOptionFault } from "../../../src/domain/filter/read/read-option.ts";
import { settleUnknown } from "../../../src/domain/filter/settle-unknown.ts";

const field: Field = {
  ...(FIELD_BY_NAME.get("status") ?? assert.fail()),
  options: ["aaaa", "bbbb", "cccc", "dddd", "nope1"],
};

test("the options are compared with the first three values alone, so that many cost no more", () => {
  const messages = [0, 1, 2, 3, 19].map((place) =>
    unknownOptionFault({ path: "$.filter", field, value: "nope" }, place).message.replace(/^.*are /, ""),
  );
  const nearest = '"nope1", "aaaa", "bbbb", "cccc", "dddd"';
  const stored = '"aaaa", "bbbb", "cccc" and 2 more';
  assert.deepEqual(messages, [nearest, nearest, nearest, stored, stored]);
});

test("work without a caller compares no options, because nobody is told", () => {
  const unknown: UnknownOption = {
    path: "$.filter",
    value: "nope",
    get field(): never {
      throw new Error("the options were read");
    },
  };
  settleUnknown({}, [unknown]);
  assert.throws(
    () => settleUnknown({ origin: { address: "", requestId: "", warnings: [] } }, [unknown]),
    /were read/,
  );
});
