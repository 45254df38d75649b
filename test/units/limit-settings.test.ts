import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { LIMIT_NAMES } from "../../src/core/limit.ts";
import { inRanges } from "../../src/domain/operation/limits/origin-address.ts";

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

test("null lifts every limit, as a whole or as its rate", () => {
  for (const name of LIMIT_NAMES) {
    for (const limit of ["null", '{"perMinute":null}', '{"perHour":null}', '{"perHour":null,"burst":5}']) {
      const { limits } = readConfig({ LIMITS: `{"${name}":${limit}}` });
      assert.equal(limits[name], null, `${name}: ${limit}`);
      const others = LIMIT_NAMES.filter((other) => other !== name && limits[other] === null);
      assert.deepEqual(others, [], `${name}: ${limit}`);
    }
  }
  for (const registration of ["null", '{"perHour":null}']) {
    assert.equal(readConfig({ LIMITS: `{"registration":${registration}}` }).registrationsPerHour, null);
  }
  for (const signIn of ["null", '{"perMinute":null}', '{"perMinute":null,"burst":3}']) {
    assert.equal(readConfig({ LIMITS: `{"signIn":${signIn}}` }).signInFailures, null, signIn);
  }
});

test("a range limits registrations of a lifted limit, and null lifts the limit of a range", () => {
  const registration = { perHour: null, ranges: { "203.0.113.0/24": 4, "203.0.113.7/32": null } };
  const { registrationsPerHour, registrationRanges } = readConfig({
    LIMITS: JSON.stringify({ registration }),
  });
  assert.equal(registrationsPerHour, null);
  const limitOf = (address: string) => inRanges(address, registrationRanges);
  assert.deepEqual(
    [limitOf("203.0.113.8"), limitOf("203.0.113.7"), limitOf("192.0.2.1")],
    [4, null, undefined],
  );
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
    ['{"api":{"perMinute":60,"perHour":null}}', /api has both perMinute and perHour/],
    ['{"api":{"burst":null}}', /api\.burst is null; it must be a number above 0/],
    ['{"signIn":{"burst":null}}', /signIn\.burst is null; it must be a number of at least 0/],
    ['{"registration":{"ranges":null}}', /registration\.ranges is null; it must be an object\.$/],
    ['{"registration":{"perHour":0}}', /registration\.perHour is 0; it must be a number above 0, or null/],
    ['{"api":{"burst":1.5}}', /api\.burst is 1\.5; it must be an integer/],
    ['{"registration":{"perHour":"ten"}}', /registration\.perHour is "ten"/],
    ['{"registration":{"perHour":2.5}}', /registration\.perHour is 2\.5; it must be an integer, or null/],
    ['{"registration":{"ranges":{"203.0.113.0/24":0.5}}}', /\/24"\] is 0\.5; it must be an integer, or null/],
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
