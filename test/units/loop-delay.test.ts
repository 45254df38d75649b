import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LoopDelay } from "../../src/http/admission/loop-delay.ts";

test("one long turn of the event loop is no overload, however long it is", async () => {
  const delay = new LoopDelay(250);
  const until = performance.now() + 1_200;
  while (performance.now() < until);
  // The timers that are due now, that of the delay among them, run first.
  await sleep(0);
  assert.equal(delay.isLate, false);
  delay.close();
});
