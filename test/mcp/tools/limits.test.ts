import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { Caller } from "../support/using.ts";

test("a tool past the limit of datasets reports how many seconds to wait", async () => {
  const limits = { datasetReads: { perMinute: 2, burst: 1 } };
  await using the = await world({ env: { LIMITS: JSON.stringify(limits) } });
  const caller = await Caller.in(the);
  await caller.call("list_datasets");
  const { why, next_step: next } = await caller.failure("list_datasets", {});
  assert.match(why, /Wait \d+ s/);
  assert.doesNotMatch(why, /Retry-After/);
  assert.match(next, /^Wait \d+ s/);
});
