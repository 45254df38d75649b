import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

test("without a setting, indexes of fields have the documented budget, and one part changes without the other", () => {
  const usual = { perProject: 40, leads: 100_000_000 };
  assert.deepEqual(readConfig({}).fieldIndexes, usual);
  const given = { FIELD_INDEXES: '{"perProject":0}' };
  assert.deepEqual(readConfig(given).fieldIndexes, { ...usual, perProject: 0 });
  assert.equal(readConfig({ FIELD_INDEXES: '{"leads":5}' }).fieldIndexes.leads, 5);
});

test("a budget of indexes that makes no sense is refused with its name", () => {
  const wrong: [text: string, message: RegExp][] = [
    ["{", /FIELD_INDEXES is not valid JSON/],
    ["[]", /FIELD_INDEXES is \[\]; it must be an object/],
    ['{"most":7}', /unknown key "most"; the known keys are perProject, leads/],
    ['{"perProject":-1}', /FIELD_INDEXES: perProject is -1; it must be an integer from 0 to 1000\./],
    ['{"perProject":1001}', /perProject is 1001/],
    ['{"leads":null}', /leads is null/],
    ['{"leads":1.5}', /leads is 1.5/],
  ];
  for (const [text, message] of wrong) assert.throws(() => readConfig({ FIELD_INDEXES: text }), message);
});
