import assert from "node:assert/strict";
import { test } from "node:test";
import { type World, world } from "../../world.ts";
import { Application, refusalIn, tokensOf } from "../support/application.ts";

const [OLD, NEW] = ["0".repeat(64), "f".repeat(64)];
const PLAIN = "400 invalid_grant: The grant is not valid.";

/** Starts another instance on the same database. */
const beside = (the: World, key: string) =>
  world({ env: { DATABASE_URL: the.databaseUrl, SECRET_KEY: key } });

test("a new secret key is put in front of the old one, which goes on to verify until it is taken away", async () => {
  await using the = await world({ env: { SECRET_KEY: OLD } });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const [first, forgotten] = [await app.tokens(browser), await app.tokens(browser)];
  await assert.rejects(beside(the, NEW), /SECRET_KEY=new,previous/, "the new key alone is a stranger");

  await using both = await beside(the, `${NEW},${OLD}`);
  const there = new Application(both, app.clientId);
  assert.ok(await there.isActive(first.access));
  const second = await tokensOf(await there.refresh(first.refresh));
  assert.ok(await app.isActive(second.access), "access tokens carry no key: the old instance knows them");
  assert.equal(await refusalIn(await app.refresh(second.refresh)), PLAIN, "it does not know the new key");
  await assert.rejects(beside(the, OLD), /does not match this database/, "there is no way back by accident");

  await using alone = await beside(the, NEW);
  const last = new Application(alone, app.clientId);
  assert.equal(
    await refusalIn(await last.refresh(forgotten.refresh)),
    PLAIN,
    "a forgotten key verifies nothing",
  );
  assert.equal(await refusalIn(await last.refresh(first.refresh)), PLAIN, "nor does its replay end anything");
  const third = await tokensOf(await last.refresh(second.refresh));
  assert.equal(await refusalIn(await there.refresh(first.refresh)), "400 invalid_grant: replay detected");
  assert.equal(await last.isActive(third.access), false);
});
