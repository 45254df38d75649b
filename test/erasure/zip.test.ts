import assert from "node:assert/strict";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { zipOf } from "../../src/domain/erasure/zip.ts";

async function* files(sizes: readonly number[]) {
  for (const [i, size] of sizes.entries())
    yield {
      name: `${i}.txt`,
      text: (async function* () {
        // digits that do not compress well
        for (let n = 0; n < size; n += 8)
          yield (((n + 1) * 2_654_435_761) % 99_999_989).toString().padStart(8, "0");
      })(),
    };
}

async function zipped(sizes: readonly number[], most?: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of zipOf(files(sizes), most)) parts.push(part);
  return Buffer.concat(parts);
}

test("an archive that is larger than a ZIP can state breaks off, instead of being one that nothing can read", async () => {
  const whole = await zipped([8_000, 8_000]);
  const unzipped = unzipSync(whole);
  assert.deepEqual(
    Object.values(unzipped).map(({ length }) => length),
    [8_000, 8_000],
  );
  // not compared byte for byte: an archive also states when its files were written, in steps of two seconds
  const fitting = await zipped([8_000, 8_000], whole.length);
  assert.equal(fitting.length, whole.length);
  assert.deepEqual(unzipSync(fitting), unzipped);
  await assert.rejects(zipped([8_000, 8_000], whole.length - 1), /does not fit|do not fit/);
  await assert.rejects(zipped([8_000], 7_999), /0\.txt does not fit/);
});
