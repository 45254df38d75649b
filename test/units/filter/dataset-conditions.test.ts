import assert from "node:assert/strict";
import { test } from "node:test";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { measureFilter } from "../../../src/domain/filter/tree/measure-filter.ts";
import { statusOf } from "../../../src/http/response/status.ts";
import { refused } from "../support/refused.ts";
import { LINKED, WRONG_DATASETS } from "../support/wrong-dataset-conditions.ts";

test("a condition on a dataset that is wrong is refused with code and path", () => {
  for (const [filter, code, path] of WRONG_DATASETS) {
    const refusal = refused(() => {
      measureFilter(filter);
      readFilter(filter, LINKED);
    });
    assert.deepEqual(
      [statusOf(refusal), refusal.code, refusal.message.split(": ")[0]],
      [400, code, path],
      JSON.stringify(filter),
    );
  }
});
