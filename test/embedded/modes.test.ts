import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { makeDataDir, startEmbedded } from "../../src/db/embedded/index.ts";
import { SECRET, served, until } from "../backups/support/served.ts";
import { large, test } from "../large.ts";
import { notRoot } from "../programs.ts";
import { dataFolder } from "./support/rig.ts";

/** Returns what is in a folder and what others may read or change, with its mode. A socket is guarded by its folder. */
function openToOthers(folder: string): string[] {
  return ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]
    .map((name) => ({ name, found: lstatSync(join(folder, name)) }))
    .filter(({ found }) => !found.isSocket() && !found.isSymbolicLink() && (found.mode & 0o066) !== 0)
    .map(({ name, found }) => `${name} ${(found.mode & 0o777).toString(8)}`);
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

const usual = process.umask(0o022);
process.umask(usual);

/** Sets the umask until the end of a test, which may set it several times. */
function umask(t: TestContext, mask: number): void {
  process.umask(mask);
  t.after(() => void process.umask(usual));
}

test("nobody else may read what a start of the database creates, where the umask would let everybody", async (t) => {
  umask(t, 0);
  const made = join(dataFolder(t), "made");
  const server = await startEmbedded({ dataDir: join(made, "on demand") });
  assert.deepEqual(openToOthers(made), []);
  await server.stop();
});

test("others cannot list a data folder that root creates, but the database's user can pass through, whatever the umask", {
  skip: notRoot,
}, async (t) => {
  for (const mask of [0, 0o027, 0o077]) {
    umask(t, mask);
    const made = join(dataFolder(t), "made");
    await makeDataDir(join(made, "data"));
    assert.deepEqual([modeOf(made), modeOf(join(made, "data"))], ["711", "711"]);
  }
});

test("an existing data folder is closed to others if nothing but the service's files is in it", async (t) => {
  for (const [name, mode] of [
    ["secret-key", "711"],
    ["notes.txt", "755"],
  ] as const) {
    const dataDir = join(dataFolder(t), "data");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    for (const each of ["owner.pid", name]) writeFileSync(join(dataDir, each), "");
    await makeDataDir(dataDir);
    assert.equal(modeOf(dataDir), mode);
  }
});

test("a DATA_DIR that cannot be a folder is named", async (t) => {
  const file = join(dataFolder(t), "file");
  writeFileSync(file, "");
  for (const dataDir of [file, join(file, "data")])
    await assert.rejects(
      startEmbedded({ dataDir }),
      /^EmbeddedError: DATA_DIR is .*cannot be used as a folder \(E/,
    );
});

large(
  "nobody else may read any file of a service that imports, exports and is backed up, nor a backup",
  async (t) => {
    umask(t, 0);
    const the = await served(t);
    const sealed = { BACKUP_PASSPHRASE: SECRET };
    await the.start(sealed);
    const caller = await the.caller();
    assert.equal(await caller.createLead("Ada"), 201);
    const file = join(the.folder, "leads.csv");
    writeFileSync(file, "name,email\nBea,bea@example.org\n");
    await the.done(["import", "leads", "--project", caller.projectId, "--file", file]);
    const reader = [
      "key",
      "create",
      "--project",
      caller.projectId,
      "--name",
      "x",
      "--permissions",
      "leads:read",
    ];
    const { key } = await the.done<{ key: string }>(reader);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ project_id: caller.projectId });
    const exported = await fetch(`${the.baseUrl}/api/leads/export/`, { method: "POST", headers, body });
    assert.match(await exported.text(), /Bea/);
    const backups = join(the.dataDir, "backups");
    const isBackedUp = () =>
      readdirSync(the.dataDir).includes("backups") &&
      readdirSync(backups).some((name) => /^leadgate-.*Z$/.test(name));
    await until(isBackedUp, "the first backup");
    for (const to of ["rows", "files.tar"])
      await the.done(
        ["backup", "--to", join(the.folder, "own", to), ...(to === "rows" ? ["--rows"] : [])],
        sealed,
      );
    assert.deepEqual(openToOthers(the.dataDir), []);
    assert.deepEqual(openToOthers(join(the.folder, "own")), []);
    await the.end("SIGTERM");
    const restored = join(the.folder, "restored");
    await the.done(["restore", "--from", join(the.folder, "own", "files.tar")], {
      DATA_DIR: restored,
      BACKUP_PASSPHRASE: SECRET,
    });
    assert.deepEqual(openToOthers(restored), []);
  },
);
