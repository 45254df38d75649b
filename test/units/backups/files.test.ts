import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { readChecked, writeChecked } from "../../../src/db/backup/files/checked-file.ts";
import { Damaged } from "../../../src/db/backup/files/damaged.ts";
import { atOffset, freshKey, opening, sealing } from "../../../src/db/backup/files/sealed-stream.ts";
import { crc32c } from "../../../src/db/backup/wal/crc32c.ts";

const folder = mkdtempSync(join(tmpdir(), "leadgate-files-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const key = freshKey();
/** Passes bytes in pieces whose ends are not those of the chunks. */
const pieces = (bytes: Buffer): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 7_001) }, (_, n) =>
      bytes.subarray(n * 7_001, (n + 1) * 7_001),
    ),
  );
const seal = (bytes: Buffer): Promise<Buffer> => buffer(sealing(key, pieces(bytes)));
const unseal = (bytes: Buffer, with_ = key): Promise<Buffer> =>
  buffer(opening(with_, "a file", pieces(bytes)));
const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, n) => n * 7 + (n >> 8)));

for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000])
  test(`a sealed file of ${length} bytes is opened unchanged, and has nothing of them`, async () => {
    const sealed = await seal(bytesOf(length));
    assert.ok((await unseal(sealed)).equals(bytesOf(length)));
    if (length > 32) assert.equal(sealed.indexOf(bytesOf(length).subarray(0, 32)), -1);
  });

const TAMPERED: [what: string, change: (sealed: Buffer) => Buffer][] = [
  ["with a flipped bit", (sealed) => sealed.fill((sealed[70_000] ?? 0) ^ 1, 70_000, 70_001)],
  ["that is cut off within a chunk", (sealed) => sealed.subarray(0, 100_000)],
  ["that is cut off between chunks", (sealed) => sealed.subarray(0, 16 + 65_552)],
  ["that is cut off within its first bytes", (sealed) => sealed.subarray(0, 7)],
  ["with a byte more", (sealed) => Buffer.concat([sealed, Buffer.alloc(1)])],
  [
    "whose chunks were exchanged",
    (sealed) => {
      const chunk = (n: number) => sealed.subarray(16 + n * 65_552, 16 + (n + 1) * 65_552);
      return Buffer.concat([sealed.subarray(0, 16), chunk(1), chunk(0), sealed.subarray(16 + 2 * 65_552)]);
    },
  ],
];

for (const [what, change] of TAMPERED)
  test(`a sealed file ${what} is refused`, async () => {
    await assert.rejects(unseal(change(await seal(bytesOf(200_000)))), Damaged);
  });

test("a sealed file is refused with another key", async () => {
  await assert.rejects(unseal(await seal(bytesOf(100)), freshKey()), Damaged);
});

test("a file that grows gives the same bytes for the same place, in whatever parts it is written", () => {
  const bytes = bytesOf(1_000);
  const whole = atOffset(key, "segment", bytes, 0);
  for (const at of [1, 15, 16, 17, 500])
    assert.ok(atOffset(key, "segment", bytes.subarray(at), at).equals(whole.subarray(at)), `at ${at}`);
  assert.ok(atOffset(key, "segment", whole, 0).equals(bytes));
  assert.ok(!atOffset(key, "another", bytes, 0).equals(whole));
});

test("no bit of a description can be flipped, and no byte of it be missing, unnoticed", async () => {
  const path = join(folder, "description.json");
  const value = { format: 2, name: "São Paulo", files: [1, 2], none: null };
  await writeChecked(path, value);
  const whole = readFileSync(path);
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(path, bytes);
    await assert.rejects(readChecked(path), Damaged, `bit ${bit}`);
  }
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(path, whole.subarray(0, length));
    await assert.rejects(readChecked(path), Damaged, `${length} bytes`);
  }
  writeFileSync(path, whole);
  assert.deepEqual({ ...(await readChecked(path)), sha256: "" }, { ...value, sha256: "" });
  assert.equal(await readChecked(join(folder, "missing.json")), undefined);
});

const SUMS: [text: string, sum: number][] = [
  ["", 0],
  ["123456789", 0xe306_9283],
  ["\0".repeat(32), 0x8a91_36aa],
  ["\xff".repeat(32), 0x62a8_ab43],
];

test("CRC-32C is that of RFC 3720, also in parts", () => {
  for (const [text, sum] of SUMS) {
    const bytes = Buffer.from(text, "latin1");
    assert.equal(crc32c(0, bytes), sum);
    for (let at = 0; at <= bytes.length; at += 1)
      assert.equal(crc32c(crc32c(0, bytes, 0, at), bytes, at), sum);
  }
});
