import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

test("DRAIN_SECONDS is a number of seconds; without it, only a service behind a proxy waits", () => {
  for (const [env, ms] of [
    [{}, 0],
    [{ DRAIN_SECONDS: "" }, 0],
    [{ TRUSTED_PROXIES: "10.0.0.0/8" }, 3_000],
    [{ TRUSTED_PROXIES: "10.0.0.0/8", DRAIN_SECONDS: "0" }, 0],
    [{ DRAIN_SECONDS: "5" }, 5_000],
    [{ DRAIN_SECONDS: "0.25" }, 250],
  ] as const) {
    assert.equal(readConfig(env).drainMs, ms, JSON.stringify(env));
  }
});

test("a DRAIN_SECONDS that makes no sense stops the start with a message", () => {
  for (const text of ["5.1", "10", "-1", "1e0", "3s", " ", ".5", "Infinity"]) {
    assert.throws(() => readConfig({ DRAIN_SECONDS: text }), {
      message: `DRAIN_SECONDS is "${text}"; it must be a number of seconds from 0 to 5.`,
    });
  }
});
