import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

test("LIFETIMES changes the lifetimes that it names", () => {
  const usual = { code: 600, access: 3_600, refresh: 7_776_000, session: 604_800 };
  assert.deepEqual(readConfig({}).lifetimes, usual);
  assert.deepEqual(readConfig({ LIFETIMES: '{"access":1}' }).lifetimes, { ...usual, access: 1 });
});

for (const [text, message] of [
  ["null", "LIFETIMES is null; it must be an object."],
  [
    '{"acces":60}',
    'LIFETIMES has the unknown key "acces"; the known keys are code, access, refresh, session.',
  ],
  ['{"code":0}', "LIFETIMES: code is 0; it must be a number of seconds above 0 and up to 1000000000."],
  [
    '{"session":"7d"}',
    'LIFETIMES: session is "7d"; it must be a number of seconds above 0 and up to 1000000000.',
  ],
  [
    '{"refresh":-1}',
    "LIFETIMES: refresh is -1; it must be a number of seconds above 0 and up to 1000000000.",
  ],
] as const) {
  test(`LIFETIMES=${text} stops the start and says why`, () => {
    assert.throws(() => readConfig({ LIFETIMES: text }), { message });
  });
}
