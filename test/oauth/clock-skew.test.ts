import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { scrape, sum } from "../operator/support/scrape.ts";
import { FAKETIME, lacksFaketime } from "../programs.ts";
import { freePort, type World, world } from "../world.ts";
import { Application, bodyOf, exchange, refusalIn, tokensOf } from "./support/application.ts";

/** Starts an instance of the service in a process whose clock is wrong by so many seconds. */
async function instance(the: World, offset: string): Promise<{ authUrl: string } & AsyncDisposable> {
  const [auth, api] = await Promise.all([freePort(), freePort()]);
  const authUrl = `http://localhost:${auth}`;
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: {
      ...{ PATH: process.env.PATH ?? "", ...the.env, AUTH_PORT: String(auth), API_PORT: String(api) },
      ...{ LD_PRELOAD: FAKETIME ?? "", FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" },
    },
    stdio: "ignore",
  });
  while ((await fetch(`${authUrl}/readyz`).catch(() => undefined))?.status !== 200) {
    assert.equal(child.exitCode, null, "the instance ended");
    await sleep(100);
  }
  return {
    authUrl,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    },
  };
}

test("two instances whose clocks are three minutes apart agree on what lives, what is used up and what is expired", {
  skip: lacksFaketime(),
}, async () => {
  await using the = await world({ env: { LIFETIMES: JSON.stringify({ access: 300, code: 200 }) } });
  const [early, late] = await Promise.all([instance(the, "-90s"), instance(the, "+90s")]);
  await using _early = early;
  await using _late = late;
  const at = (place: { authUrl: string }): World => ({ ...the, authUrl: place.authUrl });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (const [first, second] of [
    [early, late],
    [late, early],
  ] as const) {
    const granted = await app.code(browser);
    const racing = await Promise.all(
      Array.from({ length: 20 }, (_, i) => exchange(at(i % 2 === 0 ? first : second), granted)),
    );
    const won = racing.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    const tokens = await tokensOf(won[0] as Response);
    const [there, here] = [first, second].map((place) => new Application(at(place), app.clientId));
    assert.equal(await there?.isActive(tokens.access), true);
    assert.equal(await here?.isActive(tokens.access), true);
    const told = await fetch(`${first.authUrl}/api/oauth/introspect`, {
      method: "POST",
      body: new URLSearchParams({ token: tokens.access }),
    });
    const { exp, iat } = await bodyOf(told);
    assert.equal(Number(exp) - Number(iat), 300);
    const next = await tokensOf((await here?.refresh(tokens.refresh)) as Response);
    assert.equal(
      await refusalIn((await there?.refresh(tokens.refresh)) as Response),
      "400 invalid_grant: replay detected",
    );
    assert.equal(await here?.isActive(next.access), false);
  }
  const stale = await app.code(browser);
  await the.sql(
    "UPDATE store.authorization_code SET expires_at = moment() - interval '1 second' WHERE consumed_at IS NULL",
  );
  for (const place of [early, late]) {
    assert.equal(await refusalIn(await exchange(at(place), stale)), "400 invalid_grant: code expired");
  }
});

test("an instance shows by how much the database's clock is ahead of its own", {
  skip: lacksFaketime(),
}, async () => {
  await using the = await world();
  const ahead = async (url: string) => sum(await scrape(url), "leadgate_database_clock_ahead_seconds ");
  assert.ok(Math.abs(await ahead(the.authUrl)) < 1);
  await using late = await instance(the, "+90s");
  const seconds = await ahead(late.authUrl);
  assert.ok(seconds < -89 && seconds > -91, String(seconds));
});
