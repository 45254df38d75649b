import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { EmbeddedError, startEmbedded } from "../../src/db/embedded/index.ts";
import { notRoot } from "../programs.ts";
import { ask, dataFolder, serverPid, service, usedFolder } from "./support/rig.ts";
import { changeControl, systemPostgres } from "./support/system-postgres.ts";

/** The message with which a start is refused. */
async function refusal(options: Parameters<typeof startEmbedded>[0]): Promise<string> {
  const error = await startEmbedded(options).then(
    async (server) => {
      await server.stop();
      return new Error("it started");
    },
    (error: unknown) => error,
  );
  assert.ok(error instanceof EmbeddedError, String(error));
  return error.message;
}

/** The program that the folder's server runs. */
const programOf = (dataDir: string): string =>
  readFileSync(`/proc/${serverPid(dataDir)}/cmdline`, "utf8").split("\0")[0] ?? "";

test("PG_BIN is a folder, and is refused next to DATABASE_URL", () => {
  assert.equal(readConfig({}).pgBin, undefined);
  assert.equal(readConfig({ PG_BIN: "", DATABASE_URL: "postgres://db/leadgate" }).pgBin, undefined);
  assert.equal(readConfig({ PG_BIN: "/usr/lib/postgresql/18/bin/" }).pgBin, "/usr/lib/postgresql/18/bin");
  assert.throws(() => readConfig({ PG_BIN: "/usr/pgsql-18/bin", DATABASE_URL: "postgres://db/leadgate" }), {
    message:
      "PG_BIN and DATABASE_URL are both set. PG_BIN is for the database in DATA_DIR; leave one of them out.",
  });
});

for (const layout of ["Debian", "PGDG"] as const) {
  test(`a PostgreSQL laid out as ${layout}'s serves the data folder of the one that comes along, which then serves it again`, async (t) => {
    const dataDir = await usedFolder(t);
    const pgBin = await systemPostgres(dataFolder(t), layout);
    const first = await startEmbedded({ dataDir });
    await ask(first.url, "CREATE EXTENSION pg_trgm; CREATE TABLE kept AS SELECT 'Ünal' AS name");
    await first.stop();
    const system = await startEmbedded({ dataDir, pgBin });
    t.after(() => system.stop());
    assert.equal(programOf(dataDir), join(pgBin, "postgres"));
    assert.deepEqual(await ask(system.url, "SELECT name, similarity(name, name) FROM kept"), [["Ünal", 1]]);
    const [[files] = []] = await ask(
      system.superuserUrl,
      "SELECT setting FROM pg_config WHERE name = 'SHAREDIR'",
    );
    assert.ok(String(files).startsWith(join(pgBin, "..")), String(files));
    await system.stop();
    const again = await startEmbedded({ dataDir });
    t.after(() => again.stop());
    assert.deepEqual(await ask(again.url, "SELECT name FROM kept"), [["Ünal"]]);
  });
}

test("a data folder that PG_BIN's PostgreSQL created is served by the one that comes along", async (t) => {
  const dataDir = join(dataFolder(t), "data");
  const created = await startEmbedded({ dataDir, pgBin: await systemPostgres(dataFolder(t), "Debian") });
  await ask(created.url, "CREATE TABLE kept AS SELECT 1 AS n");
  await created.stop();
  const server = await startEmbedded({ dataDir });
  t.after(() => server.stop());
  assert.deepEqual(await ask(server.url, "SELECT n FROM kept"), [[1]]);
});

test("PG_BIN without programs, or with programs that do not run here, is refused with what is wrong", async (t) => {
  const folder = dataFolder(t);
  const pgBin = join(folder, "bin");
  assert.match(
    await refusal({ dataDir: folder, pgBin }),
    /there is no .*\/bin\/initdb; set it to the folder with/,
  );
  mkdirSync(pgBin);
  for (const name of ["initdb", "pg_ctl"]) writeFileSync(join(pgBin, name), "");
  assert.match(await refusal({ dataDir: folder, pgBin }), /there is no .*\/bin\/postgres;/);
  const outputs: [text: string | Buffer, RegExp][] = [
    // The headers of programs for s390x and 32-bit x86.
    [
      Buffer.from(`7f454c4602020100${"00".repeat(8)}00020016`, "hex"),
      /whose postgres is a program for s390x; this service runs on/,
    ],
    [Buffer.from(`7f454c4601010100${"00".repeat(8)}02000300`, "hex"), /a program for ia32/],
    [
      "#!/bin/sh\necho 'libicu.so.78: cannot open shared object file' >&2; exit 127\n",
      /libicu\.so\.78: cannot open/,
    ],
    ["#!/bin/sh\necho hello\n", /does not run on this machine .*: hello; correct PG_BIN/],
  ];
  for (const [text, words] of outputs) {
    writeFileSync(join(pgBin, "postgres"), text);
    chmodSync(join(pgBin, "postgres"), 0o755);
    assert.match(await refusal({ dataDir: folder, pgBin }), words);
  }
  assert.ok(!existsSync(join(folder, "postgres")), "nothing was created");
});

test("PG_BIN with another major version is refused, for a data folder that exists and for a new one", async (t) => {
  const dataDir = await usedFolder(t);
  const pgBin = await systemPostgres(dataFolder(t), "Debian", { version: "17.9 (Debian 17.9-1)" });
  assert.equal(
    await refusal({ dataDir, pgBin }),
    `${join(dataDir, "postgres")} was created by PostgreSQL 18, but PG_BIN (${pgBin}) has 17.9; set PG_BIN to the programs of a PostgreSQL 18, or leave it out`,
  );
  const fresh = join(dataFolder(t), "data");
  assert.match(
    await refusal({ dataDir: fresh, pgBin }),
    /has PostgreSQL 17\.9, but a new data folder takes PostgreSQL 18/,
  );
  assert.ok(!existsSync(join(fresh, "postgres.secret")));
  const server = await startEmbedded({ dataDir });
  await server.stop();
});

test("a build with another catalog, architecture, block or segment size is refused in words, and nothing is changed", async (t) => {
  const dataDir = await usedFolder(t);
  const cluster = join(dataDir, "postgres");
  const pgBin = await systemPostgres(dataFolder(t), "PGDG");
  const before = readFileSync(join(cluster, "global/pg_control"));
  for (const [field, value, words] of [
    [
      "catalog",
      202_505_151,
      /: the version of the catalog differs: .* 202505151, but the server was compiled with/,
    ],
    ["alignment", 4, /: the architecture \(the alignment of values\) differs: .* MAXALIGN 4/],
    [
      "block",
      16_384,
      /: the block size differs: .* BLCKSZ 16384, but .* BLCKSZ 8192; set PG_BIN to another build/,
    ],
    ["segment", 65_536, /: the segment size differs: .* RELSEG_SIZE 65536/],
  ] as const) {
    changeControl(cluster, field, value);
    const message = await refusal({ dataDir, pgBin });
    assert.match(message, words);
    assert.ok(message.startsWith(`${cluster} does not fit PostgreSQL 18.`), message);
    assert.ok(message.includes(` of PG_BIN (${pgBin}): `), message);
    assert.match(await refusal({ dataDir }), /set PG_BIN to the PostgreSQL that created it/);
    writeFileSync(join(cluster, "global/pg_control"), before);
  }
});

test("a locale or a collation of another version is refused before the database is served", async (t) => {
  const dataDir = await usedFolder(t);
  const pgBin = await systemPostgres(dataFolder(t), "Debian");
  const change = async (...statements: string[]) => {
    const server = await startEmbedded({ dataDir });
    for (const statement of statements) await ask(server.superuserUrl, statement);
    await server.stop();
  };
  await change("UPDATE pg_database SET datcollversion = '0' WHERE datname = 'leadgate'");
  assert.match(
    await refusal({ dataDir, pgBin }),
    /the locale C\.UTF-8 of the provider builtin has version 0 in the database and 1 in this PostgreSQL/,
  );
  await change(
    "UPDATE pg_database SET datcollversion = '1' WHERE datname = 'leadgate'",
    `CREATE TABLE named (name text COLLATE "und-x-icu"); UPDATE pg_collation SET collversion = '1.2' WHERE collname IN ('und-x-icu', 'pt-x-icu')`,
  );
  assert.match(
    await refusal({ dataDir, pgBin }),
    /the collation "und-x-icu" has version 1\.2 in the database and \d/,
  );
  await change("DROP TABLE named");
  const server = await startEmbedded({ dataDir, pgBin });
  t.after(() => server.stop());
  assert.deepEqual(await ask(server.url, "SELECT 1"), [[1]], "a collation that nothing uses does not matter");
});

test("an extension of the database that PG_BIN's PostgreSQL lacks, or cannot load, is named", async (t) => {
  const dataDir = await usedFolder(t);
  const server = await startEmbedded({ dataDir });
  await ask(server.url, "CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; CREATE EXTENSION unaccent");
  await server.stop();
  const lacking = await systemPostgres(dataFolder(t), "PGDG", { without: "unaccent" });
  assert.match(
    await refusal({ dataDir, pgBin: lacking }),
    /it lacks unaccent 1\.1, which the database uses; install its contrib/,
  );
  const older = await systemPostgres(dataFolder(t), "PGDG", { without: "pg_trgm--1.5--1.6" });
  assert.match(await refusal({ dataDir, pgBin: older }), /it lacks pg_trgm 1\.6, which/);
  const withoutLibrary = process.platform === "darwin" ? "btree_gin.dylib" : "btree_gin.so";
  const broken = await systemPostgres(dataFolder(t), "Debian", { withoutLibrary });
  assert.match(
    await refusal({ dataDir, pgBin: broken }),
    /the extension btree_gin does not load \(could not access file/,
  );
});

test("a database whose locale this system lacks is refused with the name of the locale", async (t) => {
  const dataDir = await usedFolder(t);
  const server = await startEmbedded({ dataDir });
  await ask(
    server.superuserUrl,
    "UPDATE pg_database SET datctype = 'xx_XX.UTF-8' WHERE datname = 'leadgate'",
  );
  await server.stop();
  assert.match(
    await refusal({ dataDir }),
    /cannot open the database on this system: .*LC_CTYPE "xx_XX\.UTF-8"/,
  );
});

test("a server that outlived its owner is restarted if the programs have another version now", async (t) => {
  const dataDir = await usedFolder(t);
  const owner = service(t, { dataDir });
  const { url } = await owner.outcome;
  await ask(url, "CREATE TABLE kept AS SELECT 1 AS n");
  await owner.end("SIGKILL");
  const pid = serverPid(dataDir);
  const pgBin = await systemPostgres(dataFolder(t), "Debian", { version: "18.9" });
  const server = await startEmbedded({ dataDir, pgBin });
  t.after(() => server.stop());
  assert.notEqual(serverPid(dataDir), pid);
  assert.equal(programOf(dataDir), join(pgBin, "postgres-real"));
  assert.deepEqual(await ask(server.url, "SELECT n FROM kept"), [[1]]);
});

test("root's database user must be able to enter PG_BIN, which is not copied", {
  skip: notRoot,
}, async (t) => {
  const dataDir = dataFolder(t);
  const pgBin = await systemPostgres(join(dataDir, "closed"), "Debian");
  chmodSync(join(dataDir, "closed"), 0o700);
  const words = new RegExp(`cannot enter ${join(dataDir, "closed")}, which holds PG_BIN \\(${pgBin}\\)`);
  assert.match(await refusal({ dataDir, pgBin, rootStrategy: "unprivileged" }), words);
});
