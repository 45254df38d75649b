import assert from "node:assert/strict";
import { serveUntilStopped } from "../../src/cli/serve.ts";
import { readConfig } from "../../src/config/config.ts";
import { listen, openService } from "../../src/server/start.ts";
import { ran } from "../cli/support/leadgate.ts";
import { test } from "../large.ts";
import { freePort, world } from "../world.ts";

/** Changes the URL of the database. */
function changed(url: string, change: (url: URL) => void): string {
  const other = new URL(url);
  change(other);
  return other.href;
}

test("a start that cannot use its database names the setting and says why, without the password", async () => {
  await using the = await world();
  const port = String(await freePort());
  const password = "hunter2%23x";
  const wrong: [string, RegExp][] = [
    [`postgres://ada:${password}@localhost:${port}/x`, /ECONNREFUSED/],
    [`postgres://ada:${password}@no-such-host.invalid/x`, /ENOTFOUND no-such-host\.invalid|EAI_AGAIN/],
    [changed(the.databaseUrl, (url) => (url.pathname = "/missing")), /database "missing" does not exist/],
    [changed(the.databaseUrl, (url) => (url.username = "ada")), /role "ada" does not exist|authentication/],
  ];
  for (const [DATABASE_URL, why] of wrong) {
    const { message } = await openService(readConfig({ ...the.env, DATABASE_URL })).then(
      () => assert.fail(`${why} was accepted`),
      (error: Error) => error,
    );
    assert.match(message, /^DATABASE_URL leads to no database that can be used: /);
    assert.match(message, why);
    assert.doesNotMatch(message, /hunter2/);
  }
});

test("a start that cannot listen names the setting to change", async () => {
  await using the = await world();
  const wrong: [object, RegExp][] = [
    [{ authPort: the.config.authPort }, /Port \d+ on 127.0.0.1 is in use.*set AUTH_PORT/],
    [{ host: "192.0.2.1" }, /HOST is "192.0.2.1", which is not an address of this machine.*0.0.0.0/],
    [{ host: "no-such-host.invalid" }, /HOST is "no-such-host.invalid"|EAI_AGAIN/],
  ];
  for (const [own, why] of wrong) {
    const config = { ...the.config, role: "web" as const, authPort: 0, ...own };
    await assert.rejects(listen(the.service, config), why);
  }
});

test("a start with one port for both hosts, as behind a proxy without ports, names both settings", async () => {
  const urls = { AUTH_URL: "https://leads.example.com", BASE_URL: "https://api.leads.example.com" };
  await assert.rejects(
    serveUntilStopped(readConfig(urls), () => Promise.resolve()),
    /AUTH_PORT and API_PORT are both 443.*such as 3000 and 3001/,
  );
});

test("a start logs a likely misspelled setting, also if it then fails", async () => {
  const env = { PATH: process.env.PATH ?? "", SECRET_KEY: "k".repeat(32), SMTP_URI: "smtp://x" };
  const DATABASE_URL = `postgres://localhost:${await freePort()}/x`;
  const { code, err } = await ran(["serve"], { env: { ...env, DATABASE_URL }, input: "" });
  assert.equal(code, 1);
  assert.match(err, /"SMTP_URI is not a setting of Leadgate and is ignored; SMTP_URL may be meant."/);
  assert.match(err, /leadgate: DATABASE_URL leads to no database/);
});
