import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

const admission = (text: string) => readConfig({ ADMISSION: text }).admission;

test("without a setting, 64 requests are in flight, 48 of one owner", () => {
  const usual = { inFlight: 64, perOwner: 48, waiting: 250, waitMs: 1_000, loopDelayMs: 250 };
  assert.deepEqual(readConfig({}).admission, usual);
  assert.deepEqual(admission("{}"), usual);
});

test("what is not set follows from what is: an owner may have three quarters of the places", () => {
  const { perOwner, waiting } = admission('{"inFlight":10,"waiting":0}');
  assert.deepEqual([perOwner, waiting], [8, 0]);
  assert.equal(admission('{"inFlight":1}').perOwner, 1);
});

for (const [text, message] of [
  ["[]", "ADMISSION is []; it must be an object."],
  ["null", "ADMISSION is null; it must be an object."],
  ["{", 'ADMISSION is not valid JSON; it must be an object such as {"inFlight":64}.'],
  [
    '{"inflight":3}',
    'ADMISSION has the unknown key "inflight"; the known keys are inFlight, perOwner, waiting, waitMs, loopDelayMs.',
  ],
  ['{"inFlight":0}', "ADMISSION: inFlight is 0; it must be an integer from 1 to 1000000."],
  ['{"waiting":1.5}', "ADMISSION: waiting is 1.5; it must be an integer from 0 to 1000000."],
  ['{"waitMs":"2"}', 'ADMISSION: waitMs is "2"; it must be an integer from 1 to 1000000.'],
  ['{"loopDelayMs":null}', "ADMISSION: loopDelayMs is null; it must be an integer from 1 to 1000000."],
  ['{"inFlight":4,"perOwner":5}', "ADMISSION: perOwner is 5; it must not be above inFlight, which is 4."],
] as const) {
  test(`ADMISSION=${text} stops the start and says why`, () => {
    assert.throws(() => readConfig({ ADMISSION: text }), { message });
  });
}
