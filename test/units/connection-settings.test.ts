import assert from "node:assert/strict";
import { test } from "node:test";
import { readConnectionCounts, readTimeLimits } from "../../src/config/read-connections.ts";
import { readDatabase } from "../../src/config/read-database.ts";

/** The threads of two imports, and their connections (keep-working.ts, import-worker.ts). */
const THREADS = 2 * 2;
/** PostgreSQL keeps three of its 100 for superusers. */
const ROOM = 97;

test("CONNECTIONS gives the usual numbers, or those that are set", () => {
  assert.deepEqual(readConnectionCounts({}), { requests: 12, jobs: 7 });
  assert.deepEqual(readConnectionCounts({ requests: 4 }), { requests: 4, jobs: 7 });
  assert.deepEqual(readConnectionCounts({ jobs: 1_000, requests: 1_000 }), { requests: 1_000, jobs: 1_000 });
});

test("four instances fit PostgreSQL's default of 100 connections, with two imports running in each", () => {
  const { requests, jobs } = readConnectionCounts({});
  assert.ok(4 * (requests + jobs + THREADS) <= ROOM);
});

test("TIME_LIMITS is in seconds and read as milliseconds", () => {
  const usual = { wait: 3_000, fast: 500, query: 5_000, write: 15_000, job: 60_000 };
  assert.deepEqual(readTimeLimits({}), usual);
  assert.deepEqual(readTimeLimits({ fast: 0, query: 2.5 }), { ...usual, fast: 0, query: 2_500 });
  assert.deepEqual(readTimeLimits({ fast: 5 }), { ...usual, fast: 5_000 });
});

const BAD_COUNTS: [unknown, RegExp][] = [
  [[], /^Error: CONNECTIONS is \[\]; it must be an object/],
  [null, /CONNECTIONS is null/],
  ["12", /CONNECTIONS is "12"/],
  [{ request: 12 }, /unknown key "request"; the known keys are requests, jobs/],
  [{ requests: 3 }, /requests is 3; it must be an integer from 4 to 1000/],
  [{ jobs: 5 }, /jobs is 5; it must be an integer from 6 to 1000/],
  [{ requests: 1_001 }, /requests is 1001/],
  [{ requests: 8.5 }, /requests is 8.5/],
  [{ requests: "12" }, /requests is "12"/],
  [{ requests: null }, /requests is null/],
];

for (const [value, message] of BAD_COUNTS)
  test(`CONNECTIONS=${JSON.stringify(value)} is refused with its reason`, () => {
    assert.throws(() => readConnectionCounts(value as Record<string, unknown>), message);
  });

const BAD_LIMITS: [unknown, RegExp][] = [
  [{ wait: 0 }, /wait is 0; it must be a number of seconds up to 3600/],
  [{ query: -1 }, /query is -1/],
  [{ job: 3_601 }, /job is 3601/],
  [{ write: "15" }, /write is "15"/],
  [{ write: true }, /write is true/],
  [{ long: 5 }, /TIME_LIMITS has the unknown key "long"/],
  [{ fast: 6 }, /fast is 6; it must not be more than query, which is 5/],
  [{ query: 0.1 }, /fast is 0.5; it must not be more than query, which is 0.1/],
];

for (const [value, message] of BAD_LIMITS)
  test(`TIME_LIMITS=${JSON.stringify(value)} is refused with its reason`, () => {
    assert.throws(() => readTimeLimits(value as Record<string, unknown>), message);
  });

const URLS = { DATABASE_URL: "postgres://a", DATABASE_DIRECT_URL: "postgres://b" };

test("statements are prepared, unless a pooler is in front of the database or the setting says otherwise", () => {
  const prepared = (env: Record<string, string>) => readDatabase(env).preparedStatements;
  assert.equal(prepared({}), true);
  assert.equal(prepared({ DATABASE_URL: URLS.DATABASE_URL }), true);
  assert.equal(prepared(URLS), false);
  assert.equal(prepared({ ...URLS, PREPARED_STATEMENTS: "on" }), true);
  assert.equal(prepared({ PREPARED_STATEMENTS: "off" }), false);
});

test("settings of the database that make no sense are refused", () => {
  assert.throws(() => readDatabase({ DATABASE_DIRECT_URL: "postgres://b" }), /without DATABASE_URL/);
  assert.throws(
    () => readDatabase({ PREPARED_STATEMENTS: "yes" }),
    /PREPARED_STATEMENTS is "yes"; it must be on or off/,
  );
});
