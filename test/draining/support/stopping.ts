import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import type { Instance } from "../../instance.ts";

/** Ends an instance with SIGTERM and checks the promise: exit code 0 within ten seconds, whatever happens meanwhile. */
export async function stopped(instance: Instance): Promise<void> {
  const began = performance.now();
  const code = await instance.end("SIGTERM");
  const seconds = (performance.now() - began) / 1_000;
  assert.equal(code, 0, `it ended with ${code} after ${seconds.toFixed(1)} s`);
  assert.ok(seconds < 10, `it took ${seconds.toFixed(1)} s`);
}
