import assert from "node:assert/strict";
import { test } from "node:test";
import { percentile, type Sample } from "../../bench/stability/overload/flood.ts";
import { missedGoals, normalAfter, type Shown } from "../../bench/stability/overload/goals.ts";
import { refuseNoWork } from "../../bench/stability/work.ts";

const sample = (more: Partial<Sample> = {}): Sample => ({
  at: 0,
  ms: 10,
  status: 200,
  retry: false,
  ...more,
});
const times = (count: number, one: Sample): Sample[] => Array.from({ length: count }, () => one);
const refused = sample({ status: 503, retry: true });

const REACHED: Shown = {
  ...{ sent: [...times(10, sample()), ...times(30, refused)], seconds: 1, capacity: 10 },
  ...{ livez: times(20, sample()), normalAfter: 5, others: { pages: times(5, sample()) } },
};

test("a run that reaches every goal misses none", () => {
  assert.deepEqual(missedGoals(REACHED), []);
  const less = { ...REACHED, sent: times(3, sample()) };
  assert.deepEqual(missedGoals(less), [], "answers of others count, too");
});

const MISSED: [goal: string, part: Partial<Shown>][] = [
  ["goodput", { sent: times(2, sample()) }],
  ["goodput", { sent: times(10, sample({ ms: 1_001 })) }],
  ["admitted", { sent: [...times(10, sample()), sample({ ms: 2_001 })] }],
  ["/livez p99", { livez: times(20, sample({ ms: 201 })) }],
  ["/livez p99", { livez: [] }],
  ["no /livez failed", { livez: [...times(500, sample()), sample({ status: 0 })] }],
  ["normal", { normalAfter: 6 }],
  ["Retry-After", { sent: [...times(10, sample()), sample({ status: 429 })] }],
  ["answered", { sent: [...times(10, sample()), sample({ status: 0 })] }],
  ["answered", { sent: [...times(10, sample()), sample({ status: 500 })] }],
  ["others' pages", { others: { pages: [...times(5, sample()), refused] } }],
];

for (const [i, [goal, part]] of MISSED.entries()) {
  test(`a run misses a goal: ${goal} (${i + 1})`, () => {
    const missed = missedGoals({ ...REACHED, ...part });
    assert.equal(missed.length, 1, missed.join());
    assert.ok(missed[0]?.includes(goal), missed.join());
  });
}

test("calls are normal again in the first second in which all succeed about as fast as before", () => {
  const after = [
    ...times(10, sample({ ms: 900 })),
    ...times(10, sample({ at: 1_500, status: 503 })),
    ...times(10, sample({ at: 2_500, ms: 15 })),
  ];
  assert.equal(normalAfter(after, 10, 10), 2);
  assert.equal(normalAfter(after, 9, 10), Number.POSITIVE_INFINITY);
});

test("failures that count as endless make a high percentile", () => {
  const samples = [...times(9, sample()), sample({ status: 0, ms: Number.POSITIVE_INFINITY })];
  assert.equal(percentile(samples, 0.99), Number.POSITIVE_INFINITY);
});

test("an option that leaves nothing to do is refused", () => {
  for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => refuseNoWork("--seconds", value), /--seconds must be a number above 0/);
  assert.throws(() => refuseNoWork("--rounds", 1.5, true), /whole/);
  refuseNoWork("--minutes", 0.5);
});
