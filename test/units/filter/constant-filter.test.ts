import assert from "node:assert/strict";
import { test } from "node:test";
import { constantOf } from "../../../src/domain/filter/tree/constant-filter.ts";
import type { Filter } from "../../../src/domain/filter/tree/filter.ts";

const all = (...of: Filter[]): Filter => ({ kind: "and", of });
const any = (...of: Filter[]): Filter => ({ kind: "or", of });
const not = (of: Filter): Filter => ({ kind: "not", of });
const words: Filter = { kind: "words", words: ["ana"] };

test("a filter of empty lists is the same for every record, unless something in it depends on the record", () => {
  const cases: [filter: Filter, constant: boolean | undefined][] = [
    [all(), true],
    [any(), false],
    [not(any()), true],
    [not(words), undefined],
    [words, undefined],
    [all(words, any()), false],
    [any(words, all()), true],
    [all(words, all()), undefined],
    [any(words, any()), undefined],
    [any(any(), not(all())), false],
    [all(any(all(), words), not(all(words, any()))), true],
  ];
  for (const [filter, constant] of cases) assert.equal(constantOf(filter), constant, JSON.stringify(filter));
});
