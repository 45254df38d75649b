import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeChecked } from "../../src/db/backup/files/checked-file.ts";
import { large } from "../large.ts";
import { SECRET, served, until } from "./support/served.ts";

interface Taken {
  backup: string;
  kind: string;
  bytes: number;
  tables: number;
}

large(
  "a backup of the embedded database is made while it is written to, verifies, and restores every lead that was acknowledged before",
  async (t) => {
    const the = await served(t);
    await the.start({ BACKUPS: '{"at":null}' });
    const caller = await the.caller();
    const acknowledged: string[] = [];
    let isWriting = true;
    const writer = (async () => {
      for (let n = 0; isWriting; n += 1)
        if ((await caller.createLead(`Lead ${n}`)) === 201) acknowledged.push(`Lead ${n}`);
    })();
    await until(() => acknowledged.length > 50, "leads");
    const before = [...acknowledged];
    const passphrase = { BACKUP_PASSPHRASE: SECRET };
    const taken = await the.done<Taken>(["backup", "--to", join(the.folder, "kept")], passphrase);
    isWriting = false;
    await writer;
    assert.equal(taken.kind, "files");
    assert.ok(acknowledged.length > before.length, "nothing was written during the backup");

    const verified = await the.done<{ result: string; tables: number; secret_key: string }>(
      ["backup", "verify", "--from", taken.backup],
      passphrase,
    );
    assert.equal(verified.result, "restored, every table as it was");
    assert.equal(verified.secret_key, "included; the passphrase opens it");
    assert.equal(verified.tables, taken.tables);

    await the.end("SIGTERM");
    const again = { DATA_DIR: join(the.folder, "again"), ...passphrase, BACKUPS: '{"at":null}' };
    await the.done(["restore", "--from", join(the.folder, "kept")], again);
    await the.start(again);
    const names = new Set(await caller.names());
    assert.deepEqual(
      before.filter((name) => !names.has(name)),
      [],
    );
    assert.equal(await caller.createLead("after the restore"), 201);
  },
);

large(
  "regular backups begin with the service, and the log between them restores any moment, even of a service that was killed",
  async (t) => {
    const the = await served(t);
    await the.start({ BACKUP_PASSPHRASE: SECRET });
    const caller = await the.caller();
    const backups = join(the.dataDir, "backups");
    const complete = () =>
      existsSync(backups) &&
      readdirSync(backups).some((name) => existsSync(join(backups, name, "backup.json")));
    await until(complete, "the first backup");
    assert.equal(await caller.createLead("one"), 201);
    await sleep(1_500);
    const moment = new Date();
    // One that is made by hand in the same folder has no archive, and does not hide that of the others.
    await the.done(["backup", "--to", backups], { BACKUP_PASSPHRASE: SECRET });
    assert.equal(await caller.createLead("two"), 201);
    // What is committed is in the archive half a second later.
    await sleep(3_000);
    await the.end("SIGKILL");

    const settings = { BACKUP_PASSPHRASE: SECRET, BACKUPS: '{"at":null}' };
    const restored = async (folder: string, ...to: string[]) => {
      const env = { ...settings, DATA_DIR: join(the.folder, folder) };
      await the.done(["restore", "--from", backups, ...to], env);
      await the.start(env);
      const names = await caller.names();
      await the.end("SIGTERM");
      return names;
    };
    assert.deepEqual(await restored("then", "--to", moment.toISOString()), ["one"]);
    assert.deepEqual(await restored("latest"), ["one", "two"]);

    const early = { ...settings, DATA_DIR: join(the.folder, "early") };
    const tooEarly = await the.leadgate(
      ["restore", "--from", backups, "--to", "2001-01-01T00:00:00Z"],
      early,
    );
    assert.equal(tooEarly.code, 1);
    assert.match(tooEarly.err, /no earlier time can be restored/);
    const vague = await the.leadgate(["restore", "--from", backups, "--to", "2026-11-26 03:00"], early);
    assert.equal(vague.code, 2);
    assert.match(vague.err, /a time with its zone/);
    const used = await the.leadgate(["restore", "--from", backups], {
      ...settings,
      DATA_DIR: join(the.folder, "then"),
    });
    assert.equal(used.code, 1);
    assert.match(used.err, /a restore never replaces one/);
  },
);

large("what a backup would bring back to life is dead after a restore", async (t) => {
  const the = await served(t);
  await the.start({ BACKUPS: '{"at":null}' });
  const { projectId } = await the.caller();
  const reset = await the.done<{ link: string }>(["person", "reset-password", "--email", "ana@example.org"]);
  const state = (url: string) => fetch(url, { redirect: "manual" }).then(({ status }) => status);
  assert.equal(await state(reset.link), 200);
  const { backup } = await the.done<Taken>(["backup", "--to", join(the.folder, "kept.tar")]);
  assert.equal(backup, join(the.folder, "kept.tar"));
  const again = await the.leadgate(["backup", "--to", backup]);
  assert.equal(again.code, 1);
  assert.match(again.err, /kept\.tar exists/);
  await the.end("SIGTERM");
  const env = { DATA_DIR: join(the.folder, "again"), BACKUPS: '{"at":null}' };
  const SECRET_KEY = readFileSync(join(the.dataDir, "secret-key"), "utf8").trim();
  const restored = await the.done<Taken>(["restore", "--from", backup], { ...env, SECRET_KEY });
  assert.equal(restored.backup, backup);
  // The restore wrote the key that it was given.
  await the.start(env);
  assert.equal(await state(reset.link), 404);
  assert.match(projectId, /^prj_/);
});

large(
  "a backup without a passphrase says that it lacks the secret key, and a restore says what to do about it",
  async (t) => {
    const the = await served(t);
    await the.start({ BACKUPS: '{"at":null}' });
    const caller = await the.caller();
    assert.equal(await caller.createLead("one"), 201);
    const said = await the.leadgate(["backup", "--to", join(the.folder, "kept")]);
    assert.match(said.out, /secret_key: not included: set BACKUP_PASSPHRASE/);
    const env = { DATA_DIR: join(the.folder, "again"), BACKUPS: '{"at":null}' };
    const refused = await the.leadgate(["restore", "--from", join(the.folder, "kept")], env);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /does not have the secret key.*--without-key/);
    await the.done(["restore", "--from", join(the.folder, "kept"), "--without-key"], env);
    await the.end("SIGTERM");
    await the.start(env);
    assert.deepEqual(await caller.names(), ["one"]);
  },
);

large("a backup that was damaged, or does not have what it says, does not verify", async (t) => {
  const the = await served(t);
  await the.start({ BACKUPS: '{"at":null}' });
  const caller = await the.caller();
  assert.equal(await caller.createLead("one"), 201);
  const { backup } = await the.done<Taken>(["backup", "--to", join(the.folder, "kept")]);
  await the.end("SIGTERM");
  const description = join(backup, "backup.json");
  const was = readFileSync(description, "utf8");
  const { sha256: _, ...told } = JSON.parse(was) as {
    sha256: string;
    tables: Record<string, { rows: number; checksum: string }>;
  };
  const lead = told.tables["store.lead"] ?? { rows: 0, checksum: "" };
  assert.equal(lead.rows, 1);
  const verify = () => the.leadgate(["backup", "verify", "--from", backup]);
  const missing = await the.leadgate(["backup", "list", "--from", join(the.folder, "missing")]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /There is no folder .*missing\./);
  writeFileSync(description, was.slice(0, 200));
  assert.match((await verify()).err, /The backup is damaged: .*backup\.json is cut off/);

  writeFileSync(description, was.replace(lead.checksum, `${lead.checksum}1`));
  assert.match(
    (await verify()).err,
    /The backup is damaged: .*backup\.json is cut off or not as it was written/,
  );
  lead.checksum += "1";
  await writeChecked(description, told);
  assert.match((await verify()).err, /differ from the backup: store\.lead has other values in its 1 rows/);
  lead.rows = 2;
  await writeChecked(description, told);
  assert.match((await verify()).err, /store\.lead has 1 rows instead of 2/);
  writeFileSync(description, was);
  const base = join(backup, "base.tar.zst");
  const size = statSync(base).size;
  appendFileSync(base, "x");
  assert.match((await verify()).err, /The backup is damaged: .*base\.tar\.zst is not as it was written/);
  const bytes = readFileSync(base).subarray(0, size);
  bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
  writeFileSync(base, bytes);
  assert.match((await verify()).err, /The backup is damaged: .*base\.tar\.zst is not as it was written/);
});
