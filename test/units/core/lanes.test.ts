import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Lanes, NoSlotError } from "../../../src/core/lanes.ts";

/** Lets what has been resolved run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const one = (slots: number, more: { perOwner?: number; waiting?: number } = {}) => {
  const { waiting = 100, ...size } = more;
  return new Lanes({ lanes: { work: { slots, ...size } }, patienceMs: 1_000, pressedMs: 100, waiting });
};

/** Enters, and notes the order in which slots are given. */
function follow(lanes: Lanes<"work">) {
  const order: string[] = [];
  const leaves = new Map<string, () => void>();
  const away = new Map<string, unknown>();
  const enter = (owner: string, name = owner, signal?: AbortSignal) => {
    lanes.enter("work", owner, signal).then(
      (leave) => {
        order.push(name);
        leaves.set(name, leave);
      },
      (error: unknown) => void away.set(name, error),
    );
  };
  const leave = async (name: string) => {
    leaves.get(name)?.();
    await settle();
  };
  return { order, leaves, away, enter, leave };
}

test("one owner alone has every slot", async () => {
  const { order, enter } = follow(one(3));
  for (const name of ["a1", "a2", "a3", "a4"]) enter("a", name);
  await settle();
  assert.deepEqual(order, ["a1", "a2", "a3"]);
});

test("a slot that becomes free goes to the owner who holds the fewest", async () => {
  const { order, enter, leave } = follow(one(3));
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) enter("a", name);
  enter("b", "b1");
  enter("b", "b2");
  await settle();
  await leave("a1");
  await leave("a2");
  await leave("a3");
  assert.deepEqual(order.slice(3), ["b1", "a4", "b2"]);
});

test("owners who hold the same number are served in turn", async () => {
  const { order, enter, leave } = follow(one(1));
  for (const name of ["a1", "a2", "a3"]) enter("a", name);
  for (const name of ["b1", "b2"]) enter("b", name);
  enter("c", "c1");
  await settle();
  for (let i = 0; i < 5; i += 1) await leave(order.at(-1) ?? "");
  assert.deepEqual(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("who gives a slot back twice frees one slot", async () => {
  const { order, enter, leave } = follow(one(1));
  for (const name of ["a1", "a2", "a3"]) enter("a", name);
  await settle();
  await leave("a1");
  await leave("a1");
  assert.deepEqual(order, ["a1", "a2"]);
});

test("who waits too long is rejected, and is told whether only its own work was in the way", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { order, away, enter } = follow(one(2));
  for (const name of ["a1", "a2", "a3"]) enter("a", name);
  enter("b", "b1");
  await settle();
  mock.timers.tick(999);
  await settle();
  assert.equal(away.size, 0);
  mock.timers.tick(1);
  await settle();
  assert.deepEqual(order, ["a1", "a2"]);
  assert.deepEqual(
    [...away].map(([name, error]) => [name, error instanceof NoSlotError && error.own]),
    [
      ["a3", true],
      ["b1", false],
    ],
  );
});

test("beyond the most that may wait, the one who waited longest is rejected", async () => {
  const { order, away, enter, leave } = follow(one(1, { waiting: 2 }));
  for (const name of ["a1", "a2", "a3", "a4"]) enter("a", name);
  enter("b", "b1");
  await settle();
  assert.deepEqual([...away.keys()], ["a2"]);
  for (let i = 0; i < 3; i += 1) await leave(order.at(-1) ?? "");
  assert.deepEqual(order, ["a1", "b1", "a3", "a4"]);
});

test("in a queue whose requests have waited long for a while, the newest is served first", async (t) => {
  const now = performance.now();
  let later = 0;
  t.mock.method(performance, "now", () => now + later);
  const { order, enter, leave } = follow(one(1));
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) enter("a", name);
  await settle();
  later = 60;
  await leave("a1");
  later = 1_100;
  enter("a", "a6");
  await leave("a2");
  await leave("a6");
  assert.deepEqual(order, ["a1", "a2", "a6", "a5"]);
});

test("a queue that is never empty but moves is served in order", async (t) => {
  const now = performance.now();
  let later = 0;
  t.mock.method(performance, "now", () => now + later);
  const { order, enter, leave } = follow(one(1));
  for (const name of ["a0", "a1"]) enter("a", name);
  await settle();
  for (let i = 2; i < 80; i += 1) {
    later += 40;
    enter("a", `a${i}`);
    await leave(`a${i - 2}`);
  }
  assert.deepEqual(
    order,
    [...order].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  );
  assert.equal(order.length, 79);
});

test("who leaves while waiting is forgotten", async () => {
  const { order, away, enter, leave } = follow(one(1));
  const gone = new AbortController();
  enter("a", "a1");
  enter("a", "a2", gone.signal);
  enter("a", "a3");
  await settle();
  gone.abort(new Error("gone"));
  await leave("a1");
  assert.deepEqual(order, ["a1", "a3"]);
  assert.equal((away.get("a2") as Error).message, "gone");
});

test("an owner's own bound keeps only that owner waiting", async () => {
  const { order, enter, leave } = follow(one(3, { perOwner: 1 }));
  for (const name of ["a1", "a2"]) enter("a", name);
  for (const name of ["b1", "b2"]) enter("b", name);
  await settle();
  assert.deepEqual(order, ["a1", "b1"]);
  await leave("a1");
  assert.deepEqual(order, ["a1", "b1", "a2"]);
});

test("a bound on several lanes leaves the others their slots", async () => {
  const lanes = new Lanes({
    lanes: { short: { slots: 4 }, long: { slots: 4 } },
    shared: [
      { lanes: ["short", "long"], slots: 4 },
      { lanes: ["long"], slots: 3 },
    ],
    patienceMs: 1_000,
    pressedMs: 100,
    waiting: 100,
  });
  const inside: string[] = [];
  const enter = (lane: "short" | "long") =>
    void lanes.enter(lane, "a").then(
      () => inside.push(lane),
      () => undefined,
    );
  for (let i = 0; i < 4; i += 1) enter("long");
  await settle();
  assert.deepEqual(inside, ["long", "long", "long"]);
  enter("short");
  enter("short");
  await settle();
  assert.deepEqual(inside, ["long", "long", "long", "short"]);
  assert.deepEqual(lanes.state("short"), { inside: 1, waiting: 1 });
});

test("a bound on all that wait rejects the oldest of the longest queue", async () => {
  const lanes = new Lanes({
    lanes: { work: { slots: 1 } },
    ...{ patienceMs: 1_000, pressedMs: 100, waiting: 100, waitingInAll: 3 },
  });
  const { away, enter } = follow(lanes);
  for (const name of ["a1", "a2", "a3"]) enter("a", name);
  for (const owner of ["b", "c"]) enter(owner);
  await settle();
  assert.deepEqual([...away.keys()], ["a2"]);
  assert.deepEqual(lanes.state("work"), { inside: 1, waiting: 3 });
});

test("a slot is taken at once or not at all, and never ahead of the owner's own queue", async () => {
  const lanes = one(2, { perOwner: 1 });
  const { order, enter } = follow(lanes);
  const leave = lanes.tryEnter("work", "a");
  assert.ok(leave !== undefined);
  assert.deepEqual([lanes.canEnter("work", "a"), lanes.canEnter("work", "b")], [false, true]);
  assert.equal(lanes.tryEnter("work", "a"), undefined);
  enter("a", "a2");
  await settle();
  assert.deepEqual(lanes.stateOf("work", "a"), { held: 1, waiting: 1 });
  leave();
  await settle();
  assert.deepEqual(order, ["a2"]);
  assert.deepEqual(lanes.stateOf("work", "b"), { held: 0, waiting: 0 });
});

test("an owner who holds as much as others has its share, one who holds nothing has not", () => {
  const lanes = one(4);
  for (const owner of ["a", "a", "b", "b"]) lanes.tryEnter("work", owner);
  assert.deepEqual(
    ["a", "b", "c"].map((owner) => lanes.hasShare("work", owner)),
    [true, true, false],
  );
});

test("lanes that wait for the same slots take turns", async () => {
  const lanes = new Lanes({
    lanes: { read: { slots: 1 }, write: { slots: 1 } },
    shared: [{ lanes: ["read", "write"], slots: 1 }],
    patienceMs: 1_000,
    pressedMs: 100,
    waiting: 100,
  });
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = (lane: "read" | "write") =>
    void lanes.enter(lane, "a").then((leave) => {
      order.push(lane);
      leaves.push(leave);
    });
  for (let i = 0; i < 4; i += 1) enter("read");
  for (let i = 0; i < 3; i += 1) enter("write");
  await settle();
  for (let i = 0; i < 6; i += 1) {
    leaves.shift()?.();
    await settle();
  }
  assert.deepEqual(order, ["read", "read", "write", "read", "write", "read", "write"]);
  leaves.shift()?.();
});

test("when a queue becomes pressed, only the newest go on waiting, until it is empty", async (t) => {
  const now = performance.now();
  let later = 0;
  t.mock.method(performance, "now", () => now + later);
  const lanes = new Lanes({
    ...{ lanes: { work: { slots: 1 } }, patienceMs: 1_000, pressedMs: 100 },
    ...{ waiting: 100, pressedWaiting: 2 },
  });
  const { order, away, enter, leave } = follow(lanes);
  for (let i = 1; i <= 9; i += 1) enter("a", `a${i}`);
  await settle();
  later = 60;
  await leave("a1");
  assert.equal(lanes.isFull("work", "a"), false);
  later = 1_100;
  await leave("a2");
  assert.deepEqual([...away.keys()], ["a3", "a4", "a5", "a6", "a7"]);
  assert.deepEqual(order, ["a1", "a2", "a9"]);
  enter("a", "a10");
  await settle();
  assert.equal(lanes.isFull("work", "a"), true);
  await leave("a9");
  await leave("a10");
  assert.deepEqual(order, ["a1", "a2", "a9", "a10", "a8"]);
  assert.equal(lanes.isFull("work", "a"), false);
});

test("after a change of size, no more are inside than fit, and waiting ones come in as soon as there is more room", async () => {
  const sized = (slots: number) => ({
    lanes: { work: { slots } },
    patienceMs: 1_000,
    pressedMs: 100,
    waiting: 100,
  });
  const lanes = new Lanes(sized(3));
  const { order, enter, leave } = follow(lanes);
  for (const name of ["a1", "a2", "a3", "a4", "a5", "a6"]) enter("a", name);
  await settle();
  lanes.resize(sized(1));
  await leave("a1");
  await leave("a2");
  assert.deepEqual(order, ["a1", "a2", "a3"]);
  await leave("a3");
  assert.deepEqual(order.slice(3), ["a4"]);
  lanes.resize(sized(3));
  await settle();
  assert.deepEqual(order.slice(4), ["a5", "a6"]);
});

test("all that wait are rejected at once, and later ones wait as before", async () => {
  const lanes = one(1);
  const { order, away, enter, leave } = follow(lanes);
  for (const name of ["a1", "a2", "a3"]) enter("a", name);
  enter("b", "b1");
  await settle();
  const reason = new Error("no database");
  lanes.rejectAll(reason);
  await settle();
  assert.deepEqual(
    [...away],
    [
      ["a2", reason],
      ["a3", reason],
      ["b1", reason],
    ],
  );
  assert.equal(lanes.waiting, 0);
  enter("b", "b2");
  await leave("a1");
  assert.deepEqual(order, ["a1", "b2"]);
});
