import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretKeysOf } from "../../src/server/secret-keys.ts";
import { served } from "../backups/support/served.ts";
import { large, test } from "../large.ts";
import { world } from "../world.ts";
import { dataFolder } from "./support/rig.ts";

const LOST =
  /secret-key is missing, and this database needs the key .* fingerprint is [0-9a-f]{16}.*SECRET_KEY/;

test("a data folder without the key of its database gets no new one, and one with another key is named", async (t) => {
  await using the = await world();
  const dataDir = dataFolder(t);
  const config = { ...the.config, databaseUrl: undefined, secretKeys: [], dataDir };
  await assert.rejects(secretKeysOf(config, the.service.db), LOST);
  assert.deepEqual(readdirSync(dataDir), []);
  writeFileSync(join(dataDir, "secret-key"), "k".repeat(64));
  await assert.rejects(
    secretKeysOf(config, the.service.db),
    /The key in .*secret-key does not match this database/,
  );
  writeFileSync(join(dataDir, "secret-key"), the.env.SECRET_KEY ?? "");
  assert.deepEqual(await secretKeysOf(config, the.service.db), [the.env.SECRET_KEY]);
});

large(
  "a start that has lost its secret key leaves no new one; with the file put back or a restore without it, it serves",
  async (t) => {
    const the = await served(t);
    const env = { BACKUPS: '{"at":null}' };
    await the.start(env);
    const caller = await the.caller();
    assert.equal(await caller.createLead("one"), 201);
    await the.end("SIGTERM");
    const file = join(the.dataDir, "secret-key");
    const key = readFileSync(file, "utf8");
    rmSync(file);
    const before = readdirSync(the.dataDir).sort();
    await assert.rejects(the.start(env), LOST);
    assert.deepEqual(readdirSync(the.dataDir).sort(), before);
    await the.done(["backup", "--to", join(the.folder, "kept")]);
    const other = { ...env, DATA_DIR: join(the.folder, "other") };
    await the.done(["restore", "--from", join(the.folder, "kept"), "--without-key"], other);
    writeFileSync(file, key);
    for (const each of [env, other]) {
      await the.start(each);
      assert.deepEqual(await caller.names(), ["one"]);
      await the.end("SIGTERM");
    }
  },
);
