import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CONTACTS } from "../../src/cli/demo/contacts-file.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { ran } from "../cli/support/leadgate.ts";
import { ask, dataFolder } from "../embedded/support/rig.ts";
import { start } from "../install/support/started.ts";
import { large } from "../large.ts";
import { blockOf } from "./support/blocks.ts";
import { placed } from "./support/proxies.ts";

large("the commands of the pages work next to a service that npm start started", async (t) => {
  await using service = await start(["sh", "-ec", `exec ${blockOf("../running.md", "Start it")}`]);
  const env = { ...service.env, PASSWORD: "a long sentence with horses" };
  const run = async (script: string, more: Record<string, string> = {}) =>
    (await promisify(execFile)("sh", ["-ec", script], { env: { ...env, ...more } })).stdout;
  const folder = await mkdtemp(join(tmpdir(), "leadgate-pages-"));
  t.after(() => rm(folder, { recursive: true }));

  await t.test("running.md: the first owner and a project, and the list of commands", async () => {
    const printed = await run(blockOf("../running.md", "The first owner"));
    assert.match(printed, /^id: per_\w+\nid: prj_\w+\n$/);
    assert.equal(await run(blockOf("../running.md", "Commands")), blockOf("../running.md", "Commands", 1));
  });

  await t.test("commands.md: a project with its region, and imports with and without a mapping", async () => {
    const [PROJECT = ""] = /prj_\w+/.exec(await run(blockOf("commands.md", "Projects"))) ?? [];
    const [leads, contacts] = [join(folder, "leads.csv"), join(folder, "bank.csv")];
    await writeFile(leads, "name,email\nBea,bea@example.org\n");
    const lines = (await readFile(CONTACTS, "utf8")).split("\n").slice(0, 21);
    await writeFile(contacts, `${lines.join("\n")}\n`);
    const plain = placed(blockOf("commands.md", "Imports"), { "leads.csv": leads });
    assert.match(await run(plain, { PROJECT }), /^created: 1$/m);
    const mapped = placed(blockOf("commands.md", "Imports", 1), { "bank-full.csv": contacts });
    assert.match(await run(mapped, { PROJECT }), /^created: 20$[\s\S]*^failed: 0$/m);
  });

  await t.test("commands.md: the doctor finds no mistake", async () => {
    const printed = await run(blockOf("commands.md", "Doctor"));
    assert.match(printed, /^ok {7}service: Leadgate \S+ serves at/m);
    assert.match(printed, /^0 mistakes, \d warnings$/m);
  });

  await t.test("health.md: the exit code is 0, and /readyz?verbose answers as on the page", async () => {
    assert.equal(await run(blockOf("health.md", "Health")), "status: ok\n");
    const answer = await fetch(`${service.baseUrl}/readyz?verbose`);
    assert.deepEqual(await answer.json(), JSON.parse(blockOf("health.md", "Readiness")));
  });

  await t.test("keys.md: both commands print what the key is needed for", async () => {
    for (const script of [blockOf("keys.md", "Change it"), blockOf("keys.md", "Change it", 1)])
      assert.match(await run(script), /: \{"signs":true,.*"removable":false\}/);
  });

  service.child.kill("SIGTERM");
  assert.equal(await service.ended, 0, service.printed());
});

large("database.md: a superuser creates the database, and its owner needs no other right", async (t) => {
  const server = await startEmbedded({ dataDir: join(dataFolder(t), "data") });
  const owned = { "ROLE leadgate": "ROLE own", "leadgate OWNER leadgate": "own OWNER own" };
  const statements = placed(blockOf("database.md", "Your own PostgreSQL"), owned);
  try {
    for (const statement of statements.trim().split("\n")) await ask(server.superuserUrl, statement);
    const url = new URL(server.superuserUrl);
    Object.assign(url, { username: "own", password: "a password of yours", pathname: "/own" });
    const env = { PATH: process.env.PATH ?? "", DATABASE_URL: url.href, SECRET_KEY: "k".repeat(32) };
    const migrated = await ran(["migrate"], { env, input: "" });
    assert.equal(migrated.code, 0, migrated.err);
    assert.match(migrated.err, /^\d+ migrations were applied in [\d.]+ s by Leadgate \S+\n$/);
  } finally {
    await server.stop();
  }
});
