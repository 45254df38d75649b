// What stands for node:test in a run of the second tier, or in reverse: see worker.ts.
export { after, afterEach, before, beforeEach, describe, mock, suite } from "node:test";
export { ordinary as test } from "./large.ts";
