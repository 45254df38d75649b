import assert from "node:assert/strict";
import { test } from "node:test";
import { bufferMegabytes } from "../../../src/db/embedded/server/settings.ts";

test("the embedded server keeps an eighth of the memory for its pages, within bounds", () => {
  const GB = 1_073_741_824;
  const cases: [bytes: number, megabytes: number][] = [
    [GB / 2, 128],
    [GB, 128],
    [2 * GB, 256],
    [8 * GB, 1_024],
    [24 * GB, 2_048],
    [512 * GB, 2_048],
  ];
  for (const [bytes, megabytes] of cases) assert.equal(bufferMegabytes(bytes), megabytes);
});
