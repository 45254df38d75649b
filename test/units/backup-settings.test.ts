import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

const folder = mkdtempSync(join(tmpdir(), "leadgate-keys-"));
after(() => rmSync(folder, { recursive: true }));

const KEYS = { BACKUP_S3_ACCESS_KEY_ID: "AKID", BACKUP_S3_SECRET_ACCESS_KEY: "hush" };
const backups = (members: object, env: Record<string, string> = KEYS) =>
  readConfig({ DATA_DIR: "/srv/x", ...env, BACKUPS: JSON.stringify(members) }).backups;

test("BACKUPS names a folder, or a store to which backups go from the data folder", () => {
  assert.deepEqual(backups({ to: "/mnt/b" }, {})?.to, resolve("/mnt/b"));
  assert.equal(backups({ to: "/mnt/b" })?.store, undefined);
  for (const env of [KEYS, { ...KEYS, DATABASE_URL: "postgres://db/x" }]) {
    const found = backups({ to: "s3://b-1/leads?region=eu-west-1", lockedDays: 30 }, env);
    assert.equal(found?.to, resolve("/srv/x/backups"));
    assert.deepEqual(found?.store?.keys, { id: "AKID", secret: "hush" });
    assert.deepEqual([found?.store?.lockedDays, found?.store?.address.bucket], [30, "b-1"]);
  }
  writeFileSync(join(folder, "secret"), "from a file\n");
  const { BACKUP_S3_ACCESS_KEY_ID } = KEYS;
  const env = { BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY_FILE: join(folder, "secret") };
  assert.deepEqual(readConfig(env).storeKeys, { id: "AKID", secret: "from a file" });
  assert.equal(readConfig({}).storeKeys, undefined);
});

test("a store of backups that makes no sense stops the start with a message that names the part, and never a key", () => {
  const to = "s3://b-1?region=x";
  for (const [members, env, message] of [
    [{ to: 3 }, KEYS, "BACKUPS: to is 3; it must be a folder or the address of a store."],
    [{ to: "s3://b-1" }, KEYS, "BACKUPS: The address of the store has no endpoint and no region."],
    [{ to }, {}, "BACKUPS: to is the address of a store, which needs an access key. Set BACKUP_S3_ACCESS"],
    [{ to, lockedDays: 0 }, KEYS, "BACKUPS: lockedDays is 0; it must be an integer from 1 to 3650."],
    [
      { to: "/mnt", lockedDays: 3 },
      KEYS,
      "BACKUPS: lockedDays is set, but only a store (to: s3://…) can protect",
    ],
    [{ to: "s3://AKID:hush@b-1" }, KEYS, "BACKUPS: The address of a store has no user and no password."],
    [{}, { BACKUP_S3_ACCESS_KEY_ID: "AKID" }, "BACKUP_S3_ACCESS_KEY_ID is set without BACKUP_S3_SECRET_A"],
    [{}, { BACKUP_S3_SECRET_ACCESS_KEY: "hush" }, "BACKUP_S3_SECRET_ACCESS_KEY is set without BACKUP_S3_AC"],
  ] as const)
    assert.throws(
      () => backups(members, env),
      (error: Error) => error.message.startsWith(message) && !/hush|AKID/.test(error.message),
      message,
    );
});
