import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { large } from "../large.ts";
import { runRounds } from "./rounds.ts";
import { scheduleOf } from "./schedule.ts";

/**
 * Rounds that every run of the tests repeats. A seed that broke a promise once is added here, with what was wrong. Each
 * has the faults that it is here for: a new kind of fault changes what a seed means.
 */
const ROUNDS: readonly (readonly [seed: number, faults: string])[] = [
  // A wrong clock, and a kill of a process and PostgreSQL at once.
  [13, "refuse-connections clock kill-both stop-backend"],
  // Connections that died silently during a start, which then waited for ever.
  [495_913_656, "kill-worker refuse-connections lose-connections"],
  // Two jobs failed at once while PostgreSQL started, and the worker did nothing any more.
  [276_094_920, "stop-service kill-postgres"],
  // A connection that broke right after a start, in which a process looks for its first owner.
  [131_920_583, "refuse-connections rotate-key stop-backend drop-connections"],
  // A start that held the lock of migrations lost its connections silently, and no other start came through.
  [235, "rotate-key stop-service kill-worker lose-connections"],
];

test("the seeds have the faults that they are here for", () => {
  assert.deepEqual(
    ROUNDS.map(([seed]) => [
      seed,
      scheduleOf(seed)
        .faults.map(({ kind }) => kind)
        .join(" "),
    ]),
    ROUNDS,
  );
});

large(
  "random faults break no promise: nothing acknowledged is lost or doubled, and all is ready again",
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "leadgate-histories-"));
    const rounds = await runRounds({
      seeds: ROUNDS.map(([seed]) => seed),
      folder,
      say: (line) => t.diagnostic(line),
    });
    const broken = rounds.filter(({ found }) => found.length > 0);
    // The history of a broken round stays there.
    if (broken.length === 0) rmSync(folder, { recursive: true });
    assert.deepEqual(broken, []);
  },
);
