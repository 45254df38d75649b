import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../../src/core/refusal.ts";
import { protocolFailure } from "../../../src/surfaces/mcp/calls/protocol-failure.ts";
import type { Exchange } from "../../../src/surfaces/mcp/protocol/exchange.ts";

test("a temporary refusal of a resource, a prompt or a completion stays one of HTTP, with its Retry-After", () => {
  for (const [kind, code] of [
    ["unavailable", "database_busy"],
    ["unavailable", "database_away"],
    ["unavailable", "read_only"],
    ["too_many", "too_many_at_once"],
  ] as const) {
    const refusal = new Refusal(kind, code, "Try again.", { retryAfter: 2 });
    assert.equal(protocolFailure(refusal, {} as Exchange), refusal, code);
  }
});
