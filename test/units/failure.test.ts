import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../src/core/refusal.ts";
import { refusalOf } from "../../src/http/response/failure.ts";

const failed = (code: string, message = "it failed") => Object.assign(new Error(message), { code });
const seen = (error: unknown) => {
  const { kind, code } = refusalOf(error);
  return [kind, code];
};

test("a database that is away, ending or in conflict asks the caller to come back", () => {
  const away = [
    ...["08000", "08001", "08003", "08004", "08006", "08P01"], // connection
    ...["53000", "53200", "53300", "53400"], // resources
    ...["57P01", "57P02", "57P03", "57P04", "57P05"], // shutdown
    ...["55P03", "40001", "40P01"], // locks
    ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOENT"], // the network, a socket that is gone
  ];
  for (const code of away) {
    assert.deepEqual(seen(failed(code)), ["unavailable", "database_away"], code);
    assert.equal(refusalOf(failed(code)).retryAfter, 2, code);
  }
  for (const message of [
    "Connection terminated unexpectedly",
    "Client has encountered a connection error and is not queryable",
    "timeout exceeded when trying to connect",
  ]) {
    assert.deepEqual(seen(new Error(message)), ["unavailable", "database_away"], message);
  }
});

test("a database that takes no changes says why, and asks the caller to come back later", () => {
  for (const [code, name] of [
    ["53100", "storage_full"],
    ["25006", "read_only"],
  ] as const) {
    assert.deepEqual(seen(failed(code)), ["unavailable", name], code);
    assert.equal(refusalOf(failed(code)).retryAfter, 10, code);
  }
});

test("a statement that ran into its time limit asks for a narrower filter", () => {
  assert.deepEqual(seen(failed("57014")), ["unavailable", "too_slow"]);
  assert.equal(refusalOf(failed("57014")).retryAfter, 2);
});

test("a fault of ours never claims that the database is away, and shows nothing of itself", () => {
  for (const error of [
    ...["23505", "42601", "42P01", "22P02", "25P02", "157P01", "57P010", "0800", "ENOTFOUND"].map((code) =>
      failed(code, "key (email)=(ada@example.org) exists"),
    ),
    new TypeError("x is not a function"),
    {},
  ]) {
    const refusal = refusalOf(error);
    assert.deepEqual([refusal.kind, refusal.code], ["unavailable", "internal"]);
    assert.ok(!refusal.message.includes("ada@"));
    assert.equal(refusal.cause, error);
  }
});

test("what the framework refuses keeps its meaning, and a refusal stays as it is", () => {
  for (const [statusCode, kind, code] of [
    [413, "too_large", "too_large"],
    [415, "unsupported_media", "unsupported_media"],
    [400, "malformed", "malformed"],
    [499, "malformed", "malformed"],
    [500, "unavailable", "internal"],
    [399, "unavailable", "internal"],
  ] as const) {
    assert.deepEqual(seen({ statusCode }), [kind, code], String(statusCode));
  }
  const refusal = new Refusal("conflict", "taken", "Taken.");
  assert.equal(refusalOf(refusal), refusal);
});
