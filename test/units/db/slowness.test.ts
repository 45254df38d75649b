import assert from "node:assert/strict";
import { test } from "node:test";
import { Slowness } from "../../../src/db/pool/slowness.ts";

/** A clock that the test sets, in milliseconds after now. */
function clock(t: { mock: { method(object: object, name: string, as: () => number): unknown } }) {
  const now = performance.now();
  let later = 0;
  t.mock.method(performance, "now", () => now + later);
  return (ms: number) => {
    later = ms;
  };
}

test("a statement is fast until it was slow, and then slow for ten minutes", (t) => {
  const at = clock(t);
  const slowness = new Slowness();
  assert.equal(slowness.expect("a", "one"), "fast");
  slowness.note("a", "one", true);
  assert.equal(slowness.expect("a", "one"), "slow");
  at(599_000);
  assert.equal(slowness.expect("a", "one"), "slow");
  at(601_000);
  assert.equal(slowness.expect("a", "one"), "fast");
});

test("a slow statement that was fast again is fast", () => {
  const slowness = new Slowness();
  slowness.note("a", "one", true);
  slowness.note("a", "one", false);
  assert.equal(slowness.expect("a", "one"), "fast");
});

test("for a minute, other statements of the same owner are suspected, unless they are known to be fast", (t) => {
  const at = clock(t);
  const slowness = new Slowness();
  slowness.note("a", "slow", true);
  assert.equal(slowness.expect("a", "new"), "suspected");
  slowness.note("a", "known", false);
  assert.equal(slowness.expect("a", "known"), "fast");
  assert.equal(slowness.expect("b", "slow"), "fast", "another owner is not suspected");
  at(61_000);
  assert.equal(slowness.expect("a", "new"), "fast");
});

test("only the last statements and owners are remembered", () => {
  const slowness = new Slowness();
  for (let i = 0; i <= 500; i += 1) slowness.note("a", `statement ${i}`, true);
  assert.equal(slowness.expect("a", "statement 0"), "suspected");
  assert.equal(slowness.expect("a", "statement 500"), "slow");
  for (let i = 0; i < 1_000; i += 1) slowness.note(`owner ${i}`, "one", true);
  assert.equal(slowness.expect("a", "statement 500"), "fast");
});
