import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runRounds } from "../../bench/chaos.ts";

/** Rounds that every run of the tests repeats. A seed that broke a promise once is added here, with its reason. */
const SEEDS: readonly number[] = [1, 2, 3];

test("random faults break no promise: nothing acknowledged is lost or doubled, and all is ready again", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-histories-"));
  const broken = await runRounds({ seeds: SEEDS, folder, say: (line) => t.diagnostic(line) });
  // The history of a broken round stays there.
  if (broken.length === 0) rmSync(folder, { recursive: true });
  assert.deepEqual(broken, []);
});
