import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findBinaries } from "../../src/db/embedded/host/binaries.ts";
import { linkLibraries } from "../../src/db/embedded/host/library-links.ts";
import { trimLog } from "../../src/db/embedded/host/server-log.ts";
import { dataFolder } from "./support/rig.ts";

test("a platform without binaries is asked to set DATABASE_URL", async () => {
  await assert.rejects(
    findBinaries("sunos", "mips"),
    /no embedded PostgreSQL for sunos-mips; set DATABASE_URL/,
  );
});

test("library links that the package's scripts did not make are made", async (t) => {
  const folder = dataFolder(t);
  mkdirSync(join(folder, "native", "lib"), { recursive: true });
  writeFileSync(join(folder, "native", "lib", "libpq.so.5.18"), "code");
  const list = (target: string) =>
    writeFileSync(
      join(folder, "native", "pg-symlinks.json"),
      JSON.stringify([{ source: "native/lib/libpq.so.5.18", target }]),
    );
  list("native/lib/libpq.so.5");
  await linkLibraries(folder, "the-package");
  await linkLibraries(folder, "the-package");
  assert.equal(readFileSync(join(folder, "native", "lib", "libpq.so.5"), "utf8"), "code");
  list("native/nowhere/libpq.so.5");
  await assert.rejects(
    linkLibraries(folder, "the-package"),
    /not writable; run: npm rebuild --ignore-scripts=false the-package/,
  );
});

test("the server's log cannot grow without limit", (t) => {
  const path = join(dataFolder(t), "postgres.log");
  for (const size of [50, 200, 300]) {
    writeFileSync(path, "x".repeat(size));
    trimLog(path, 100);
  }
  assert.deepEqual([statSync(path).size, statSync(`${path}.1`).size], [0, 300]);
});
