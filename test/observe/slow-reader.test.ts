import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const WRITER = `import { standardError } from "${new URL("../../src/observe/log/log-writer.ts", import.meta.url)}";
const line = (n) => standardError.write(JSON.stringify({ n, filling: "x".repeat(980) }) + "\\n");
`;

const wordsOf = (code: string): string[] => ["--input-type=module", "-e", WRITER + code];

/** Runs code that writes lines to its standard error, which is not read yet. */
function running(code: string) {
  const child = spawn(process.execPath, wordsOf(code), { stdio: "pipe" });
  child.stderr.pause();
  return child;
}

const linesIn = (log: string): { n?: number; left_out?: number }[] =>
  log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as object);

test("a reader of the log that does not read delays nobody, and learns how many lines it missed", async () => {
  const count = 30_000;
  const child = running(`
    for (let n = 0; n < ${count}; n += 1) { line(n); if (n % 100 === 0) await new Promise(setImmediate); }
    process.stdout.write("done");
    process.stdin.once("data", () => process.stdin.destroy());
  `);
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  assert.equal(said.toString(), "done");
  child.stdin.write("x");
  const lines = linesIn(await text(child.stderr));
  const missed = lines.find(({ left_out }) => left_out !== undefined)?.left_out ?? 0;
  assert.ok(missed > 0, "16 MB of 30 MB can wait");
  const read = lines.flatMap(({ n }) => n ?? []);
  assert.equal(read.length + missed, count);
  assert.deepEqual(
    read,
    Array.from({ length: read.length }, (_, n) => n),
  );
});

test("what waits when the process exits is in the log", async () => {
  const child = running("for (let n = 0; n < 50; n += 1) line(n); process.exit(3);");
  const log = text(child.stderr);
  const [code] = (await once(child, "exit")) as [number];
  assert.equal(code, 3);
  assert.deepEqual(
    linesIn(await log).map(({ n }) => n),
    Array.from({ length: 50 }, (_, n) => n),
  );
});

test("a reader of the log that goes away ends nothing", async () => {
  const child = running(`
    for (let n = 0; n < 2_000; n += 1) { line(n); await new Promise(setImmediate); }
    process.stdout.write("done");
  `);
  child.stderr.destroy();
  assert.equal(await text(child.stdout), "done");
});

test("a full disk under the log ends nothing", {
  skip: !existsSync("/dev/full") && "no /dev/full",
}, async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(
    process.execPath,
    wordsOf(`
      for (let n = 0; n < 2_000; n += 1) { line(n); await new Promise(setImmediate); }
      process.stdout.write("done");
    `),
    { stdio: ["ignore", "pipe", full] },
  );
  closeSync(full);
  const said = text(child.stdout as Readable);
  const [code] = (await once(child, "exit")) as [number];
  assert.deepEqual([code, await said], [0, "done"]);
});
