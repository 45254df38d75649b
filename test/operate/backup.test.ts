import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SECRET, served, until } from "../backups/support/served.ts";
import { large } from "../large.ts";
import { blocksOf } from "./support/blocks.ts";

large("every command of the page about backups does what the page says", async (t) => {
  const the = await served(t);
  await the.start({ BACKUPS: '{"at":null}', BACKUP_PASSPHRASE: SECRET });
  const caller = await the.caller();
  assert.equal(await caller.createLead("one"), 201);
  const [backups, tar] = [join(the.folder, "backups"), join(the.folder, "leadgate.tar")];
  const folders = { "/srv/leadgate-then": "then", "/srv/leadgate": "again" };
  const outputs: string[] = [];
  for (const block of blocksOf("backup.md")) {
    assert.equal(block.language, "sh", block.text);
    let command = block.text.replaceAll("/mnt/backups", backups).replaceAll("/mnt/leadgate.tar", tar);
    for (const [name, folder] of Object.entries(folders))
      command = command.replace(`DATA_DIR=${name} `, `DATA_DIR=${join(the.folder, folder)} `);
    // The page's time is an example: no backup of this test is as old.
    const isThen = command.includes("--to 2026");
    if (isThen) {
      await the.end("SIGTERM");
      await the.start({ BACKUPS: JSON.stringify({ to: backups }), BACKUP_PASSPHRASE: SECRET });
      await until(() => the.printed().includes("a backup was made"), "a regular backup");
      const moment = new Date().toISOString();
      await sleep(3_000);
      assert.equal(await caller.createLead("a mistake"), 201);
      await sleep(3_000);
      command = command.replace(/--to 2026\S+/, `--to ${moment}`);
    }
    const child = spawn("sh", ["-c", command], {
      env: { DATA_DIR: the.dataDir, BACKUP_PASSPHRASE: SECRET, PATH: process.env.PATH, TMPDIR: the.folder },
    });
    let printed = "";
    for (const out of [child.stdout, child.stderr])
      out.on("data", (data: Buffer) => {
        printed += data.toString();
      });
    const [code] = (await once(child, "close")) as [number];
    assert.equal(code, 0, `${command}: ${printed}`);
    outputs.push(printed);
  }
  const [files, rows, list, owner, verified, restored, then, ended, key] = outputs;
  assert.match(files ?? "", /kind: files/);
  assert.match(rows ?? "", /kind: rows/);
  assert.match(list ?? "", /"kind":"files"/);
  assert.match(owner ?? "", /instance_owner: true/);
  assert.match(verified ?? "", /restored, every table as it was/);
  assert.match(restored ?? "", /data_dir: .*again/);
  assert.match(then ?? "", /data_dir: .*then/);
  assert.match(ended ?? "", /sessions: 0/);
  assert.match(key ?? "", /SECRET_KEY: [0-9a-f]{64}/);
  await the.end("SIGTERM");
  await the.start({ DATA_DIR: join(the.folder, "then"), BACKUPS: '{"at":null}' });
  assert.deepEqual(await caller.names(), ["one"]);
});
