import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

const USUAL = { streamsPerProject: 2, slowestReader: 65_536, keptBytes: 2_147_483_648, keptDays: 7 };

test("without a setting, exports have the documented limits", () => {
  assert.deepEqual(readConfig({}).exports, USUAL);
  assert.deepEqual(readConfig({ EXPORTS: "" }).exports, USUAL);
  assert.deepEqual(readConfig({ EXPORTS: "{}" }).exports, USUAL);
});

test("one limit of exports is changed or lifted without the others", () => {
  assert.deepEqual(readConfig({ EXPORTS: '{"keptDays":30,"slowestReader":null}' }).exports, {
    ...USUAL,
    keptDays: 30,
    slowestReader: null,
  });
  assert.deepEqual(readConfig({ EXPORTS: '{"streamsPerProject":8,"keptBytes":null}' }).exports, {
    ...USUAL,
    streamsPerProject: 8,
    keptBytes: null,
  });
});

test("a setting of exports that makes no sense is refused with its name", () => {
  const wrong: [text: string, message: RegExp][] = [
    ["{", /EXPORTS is not valid JSON/],
    ["[]", /EXPORTS is \[\]; it must be an object/],
    ["null", /EXPORTS is null; it must be an object/],
    ["7", /EXPORTS is 7/],
    [
      '{"days":7}',
      /unknown key "days"; the known keys are streamsPerProject, slowestReader, keptBytes, keptDays/,
    ],
    ['{"streamsPerProject":0}', /streamsPerProject is 0; it must be an integer from 1 to 8\./],
    ['{"streamsPerProject":9}', /streamsPerProject is 9/],
    ['{"streamsPerProject":null}', /streamsPerProject is null/],
    ['{"slowestReader":-1}', /slowestReader is -1; it must be an integer from 1 to 1000000000, or null/],
    ['{"slowestReader":"64KB"}', /slowestReader is "64KB"/],
    ['{"keptBytes":0}', /keptBytes is 0/],
    ['{"keptBytes":1e300}', /keptBytes is 1e\+300/],
    ['{"keptDays":null}', /keptDays is null/],
    ['{"keptDays":1.5}', /keptDays is 1.5/],
  ];
  for (const [text, message] of wrong) assert.throws(() => readConfig({ EXPORTS: text }), message, text);
});
