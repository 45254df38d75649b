import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { invite, join, resetLinkFor } from "../../accounts/support/invited.ts";
import { copyDatabase, freshDatabase } from "../../template.ts";
import { type World, world } from "../../world.ts";
import { Application, exchange, post, refusalIn, tokensOf } from "../support/application.ts";

const REPLAY = "400 invalid_grant: replay detected";

/** Runs the command while the service runs. */
async function restored(the: World): Promise<Record<string, number>> {
  const env = { PATH: process.env.PATH, ...the.env };
  const { stdout } = await promisify(execFile)(process.execPath, ["src/main.ts", "restored", "--json"], {
    env,
  });
  return JSON.parse(stdout) as Record<string, number>;
}

test("after a restored backup no token works that was revoked at the loss, and none that the backup does not contain", async () => {
  const [database, backup] = [await freshDatabase(), await freshDatabase()];
  const env: Record<string, string> = { DATABASE_URL: database.url };
  const before = await world({ env });
  env.AUTH_URL = before.authUrl;
  const app = await Application.register(before);
  const browser = await before.signedIn();
  const refreshed = await app.tokens(browser);
  const revoked = await app.tokens(browser);
  const unspent = await app.code(browser);
  await before[Symbol.asyncDispose]();
  await copyDatabase(database.url, backup.url);

  const later = await world({ env });
  const next = await tokensOf(await app.refresh(refreshed.refresh));
  await post(later, "/api/oauth/revoke", { token: revoked.refresh });
  const spent = await tokensOf(await exchange(later, unspent));
  const unknown = await app.tokens(browser);
  await later[Symbol.asyncDispose]();

  await copyDatabase(backup.url, database.url);
  const alone = await world({ env });
  assert.ok(await app.isActive(revoked.access), "the backup knows nothing of the revocation");
  assert.equal(await refusalIn(await app.refresh(next.refresh)), REPLAY, "a later generation ends it all");
  assert.equal(await app.isActive(refreshed.access), false);
  await alone[Symbol.asyncDispose]();

  await copyDatabase(backup.url, database.url);
  await using the = await world({ env });
  assert.equal((await browser.get("/")).status, 200);
  const { sessions = 0, ...ended } = await restored(the);
  assert.ok(sessions >= 1);
  assert.deepEqual(ended, { epoch: 2, authorizations: 2, codes: 3, access_tokens: 2 });
  for (const { access, refresh } of [refreshed, revoked, next, spent, unknown]) {
    assert.equal(await app.isActive(access), false);
    assert.match(await refusalIn(await app.refresh(refresh)), /^400 invalid_grant/);
  }
  assert.equal((await exchange(the, unspent)).status, 400);
  assert.notEqual((await browser.get("/")).status, 200, "the session is over");
  const rows = await the.sql<{ why: string }>(
    `SELECT DISTINCT revoked_why AS why FROM store."authorization"`,
  );
  assert.deepEqual(rows, [{ why: "restored" }]);

  assert.deepEqual(await restored(the), {
    epoch: 3,
    sessions: 0,
    authorizations: 0,
    codes: 0,
    access_tokens: 0,
  });
  const again = await Application.register(the);
  const projectId = the.project.id;
  const fresh = await again.tokens(await the.signedIn(), { projectId });
  assert.equal((await again.refresh(fresh.refresh)).status, 200, "a new authorization works");
});

test("after a restored backup no link opens an account: neither an invitation's nor one to set a password", async () => {
  await using the = await world({ alone: true });
  const invited = "invited@example.org";
  const { link } = await invite(the, await the.signedIn(), invited);
  const reset = await resetLinkFor(the, the.person.email);
  for (const path of [link, reset]) assert.equal((await the.browser().get(path)).status, 200, path);
  await restored(the);
  for (const path of [link, reset]) assert.notEqual((await the.browser().get(path)).status, 200, path);
  const stale = await the.browser().get(link);
  assert.doesNotMatch(await stale.text(), /name="password"/);
  assert.deepEqual(await the.sql("SELECT 1 FROM reset_link UNION ALL SELECT 1 FROM store.invitation"), []);
  const again = await invite(the, await the.signedIn(), invited);
  await join(the.browser(), again.link, "a grey heron over the harbour");
  assert.equal((await the.sql("SELECT FROM person WHERE email = $1", [invited])).length, 1);
});
