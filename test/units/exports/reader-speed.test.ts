import assert from "node:assert/strict";
import { test } from "node:test";
import { ReaderSpeed } from "../../../src/domain/exports/reader-speed.ts";

/** Returns at which second a reader is found too slow, by the bytes it takes each second; null while nothing is ready. */
function foundAt(perSecond: readonly (number | null)[]): number | undefined {
  const speed = new ReaderSpeed(1_000, 5_000);
  let taken = 0;
  for (const [second, bytes] of perSecond.entries()) {
    taken += bytes ?? 0;
    if (speed.isTooSlow(second * 1_000, taken, bytes !== null)) return second;
  }
  return undefined;
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const CASES: [what: string, perSecond: (number | null)[], found: number | undefined][] = [
  ["a reader that takes nothing is too slow after a window", times(20, 0), 5],
  ["a reader just below the minimum", times(20, 999), 5],
  ["a reader at the minimum", times(100, 1_000), undefined],
  ["a reader that pauses and then makes up for it", [0, ...times(10, [0, 0, 0, 0, 6_000]).flat()], undefined],
  ["a reader that was fast once does not stay fast", [0, 1_000_000, ...times(20, 10)], 6],
  ["a reader that has taken everything starts again", times(10, [0, 0, 0, 0, null]).flat(), undefined],
  ["time in which nothing is ready does not count", [...times(60, null), ...times(5, 0)], undefined],
  ["a slow reader after a slow source", [...times(10, null), ...times(20, 0)], 15],
];

for (const [what, perSecond, found] of CASES)
  test(`${what}: ${found === undefined ? "never cut off" : `cut off in second ${found}`}`, () => {
    assert.equal(foundAt(perSecond), found);
  });

test("without a minimum no reader is too slow", () => {
  const speed = new ReaderSpeed(0, 5_000);
  for (let second = 0; second < 100; second += 1)
    assert.equal(speed.isTooSlow(second * 1_000, 0, true), false);
});
