import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runRounds } from "../../bench/stability/chaos.ts";

/** Rounds that every run of the tests repeats. A seed that broke a promise once is added here, with what was wrong. */
const SEEDS: readonly number[] = [
  13, // refused connections, a wrong clock, and a kill of a process and PostgreSQL at once
  495_913_656, // connections that died silently during a start, which then waited for ever
  276_094_920, // two jobs failed at once while PostgreSQL started, and the worker did nothing any more
  131_920_583, // a connection that broke right after a start, in which a process looks for its first owner
];

test("random faults break no promise: nothing acknowledged is lost or doubled, and all is ready again", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-histories-"));
  const rounds = await runRounds({ seeds: SEEDS, folder, say: (line) => t.diagnostic(line) });
  const broken = rounds.filter(({ found }) => found.length > 0);
  // The history of a broken round stays there.
  if (broken.length === 0) rmSync(folder, { recursive: true });
  assert.deepEqual(broken, []);
});
