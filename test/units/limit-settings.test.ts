import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

test("without a setting the limits are those of the contract", () => {
  const { limits, registrationsPerHour } = readConfig({});
  assert.deepEqual(limits.datasetReads, { each: 20_000, burst: 300 });
  assert.deepEqual(limits.datasetWrites, { each: 100_000, burst: 100 });
  assert.deepEqual(limits.datasetImports, { each: 360_000_000, burst: 2 });
  assert.equal(registrationsPerHour, 10);
});

test("one limit is changed or lifted without the others", () => {
  const { limits } = readConfig({ LIMITS: '{"api":null,"mcp":{"perHour":7},"token":{"burst":9}}' });
  assert.equal(limits.api, null);
  assert.deepEqual(limits.mcp, { each: 514_285_715, burst: 300 });
  assert.deepEqual(limits.token, { each: 20_000, burst: 9 });
  assert.deepEqual(limits.datasetReads, { each: 20_000, burst: 300 });
});

test("the limits of invitations are changed or lifted one by one, or all at once", () => {
  const usual = { perHour: 20, projectPerHour: 40, recipientPerDay: 3 };
  assert.deepEqual(readConfig({}).invitations, usual);
  const some = readConfig({ LIMITS: '{"invitations":{"perHour":5,"recipientPerDay":null}}' }).invitations;
  assert.deepEqual(some, { ...usual, perHour: 5, recipientPerDay: null });
  const none = readConfig({ LIMITS: '{"invitations":null}' }).invitations;
  assert.deepEqual(none, { perHour: null, projectPerHour: null, recipientPerDay: null });
});

test("an invalid LIMITS or REDIS_URL is refused with the reason", () => {
  const wrong: [string, RegExp][] = [
    ["{", /LIMITS is not valid JSON/],
    ["[]", /LIMITS is \[\]; it must be an object\./],
    ["null", /LIMITS is null/],
    ['{"datasetRead":null}', /has the unknown key "datasetRead"; the known keys are datasetReads, /],
    ['{"api":60}', /api is 60; it must be an object, or null/],
    [
      '{"api":{"perSecond":1}}',
      /api has the unknown key "perSecond"; the known keys are perMinute, perHour, burst/,
    ],
    ['{"api":{"perMinute":1,"perHour":1}}', /api has both perMinute and perHour/],
    ['{"api":{"perMinute":0}}', /api\.perMinute is 0; it must be a number above 0/],
    ['{"api":{"perMinute":"60"}}', /api\.perMinute is "60"/],
    ['{"api":{"burst":1.5}}', /api\.burst is 1\.5; it must be an integer/],
    ['{"registration":{"perHour":"ten"}}', /registration\.perHour is "ten"/],
    ['{"registration":{"ranges":{"203.0.113.0":5}}}', /the range "203\.0\.113\.0"/],
    ['{"registration":{"ranges":{"203.0.113.0/24":"many"}}}', /203\.0\.113\.0\/24/],
    ['{"signIn":{"burst":-1}}', /signIn\.burst is -1/],
    ['{"invitations":{"perHour":0}}', /invitations\.perHour is 0; it must be a number above 0/],
    ['{"invitations":{"perDay":1}}', /invitations has the unknown key "perDay"; the known keys are perHour/],
    [
      '{"invitations":{"recipientPerDay":1.5}}',
      /invitations\.recipientPerDay is 1\.5; it must be an integer/,
    ],
  ];
  for (const [LIMITS, message] of wrong) assert.throws(() => readConfig({ LIMITS }), message);
  for (const REDIS_URL of ["localhost:6379", "http://localhost", "redis://"]) {
    assert.throws(() => readConfig({ REDIS_URL }), /REDIS_URL must be a URL, such as/);
  }
});
