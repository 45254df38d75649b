import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { BANK_MAPPING_FILE, SOME_CONTACTS } from "./support/bank-file.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

large("an import that is killed repeatedly has stored what it counted, and ends complete", async (t) => {
  await using the = await world();
  const folder = mkdtempSync(join(tmpdir(), "leadgate-killed-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "contacts.csv");
  writeFileSync(file, SOME_CONTACTS.text);
  const kills = 3;
  for (let i = 0; i < kills; i += 1) {
    const { child } = start(the, file);
    const exit = once(child, "exit");
    const before = await leadCount(the);
    const enough = before + 1 + Math.random() * 4_000;
    while ((await leadCount(the)) < enough && child.exitCode === null) await sleep(20);
    await sleep(Math.random() * 200);
    child.kill("SIGKILL");
    await exit;
    const { rows, created, unchanged, imports, stored } = await account(the);
    assert.equal(imports, i + 1);
    assert.equal(created, stored, "every counted lead is stored, and no other");
    assert.equal(rows, created + unchanged);
    t.diagnostic(`killed at ${created} leads`);
  }
  const { child, output } = start(the, file);
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  const report = JSON.parse(await output) as Record<string, unknown>;
  assert.deepEqual(
    [report.rows, Number(report.created) + Number(report.unchanged), report.failed],
    [SOME_CONTACTS.rows, SOME_CONTACTS.rows, 0],
  );
  const { created, stored } = await account(the);
  assert.deepEqual([created, stored], [SOME_CONTACTS.rows, SOME_CONTACTS.rows], "no lead was created twice");
  const [calls] = await the.sql<{ calls: number; keys: number }>(
    `SELECT count(*)::int AS calls, count(DISTINCT external_id)::int AS keys FROM store.event
     WHERE project_id = $1 AND type = 'call.made'`,
    [the.project.id],
  );
  assert.deepEqual({ ...calls }, { calls: SOME_CONTACTS.calls, keys: SOME_CONTACTS.calls });
});

function start(the: World, file: string) {
  const args = [
    "import",
    "leads",
    "--project",
    the.project.id,
    "--file",
    file,
    "--mapping",
    BANK_MAPPING_FILE,
  ];
  const child = spawn(process.execPath, [MAIN, ...args, "--json"], {
    env: { ...process.env, ...the.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, output: text(child.stdout) };
}

async function leadCount(the: World): Promise<number> {
  const [row] = await the.sql<{ n: number }>(
    "SELECT count(*)::int AS n FROM store.lead WHERE project_id = $1",
    [the.project.id],
  );
  return row?.n ?? 0;
}

interface Account {
  imports: number;
  rows: number;
  created: number;
  unchanged: number;
  stored: number;
}

/**
 * What the imports have counted and how many leads are stored, at one moment: a killed one's last batch may come
 * late.
 */
async function account(the: World) {
  const [row] = await the.sql<Account>(
    `SELECT (SELECT count(*)::int FROM store.lead WHERE project_id = $1) AS stored,
       count(*)::int AS imports, sum(rows)::int AS rows, sum(created)::int AS created,
       sum(unchanged)::int AS unchanged FROM store.import WHERE project_id = $1`,
    [the.project.id],
  );
  if (row === undefined) throw new Error("no account");
  return row;
}
