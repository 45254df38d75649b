import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { Application, exchange } from "../support/application.ts";

test("what a person granted before their removal stays revoked when they are added again, even if it raced the removal", async () => {
  await using the = await world();
  const member = await the.newPerson("Bo");
  await the.join(member, the.project.id, "editor");
  const browser = await the.signedIn(member);
  const app = await Application.register(the);
  const tokens = await app.tokens(browser);
  const code = await app.code(browser);
  // The state after an exchange that read the membership just before the removal and committed after it.
  await the.sql("DELETE FROM membership WHERE person_id = $1", [member.id]);
  await the.join(member, the.project.id, "editor");

  const called = await fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${tokens.access}` } });
  assert.equal(called.status, 401);
  assert.equal(await app.isActive(tokens.access), false);
  assert.equal(await app.isActive(tokens.refresh), false);
  assert.equal((await app.refresh(tokens.refresh)).status, 400);
  assert.equal((await exchange(the, code)).status, 400);
  assert.match(
    await (await browser.get("/connected-apps")).text(),
    /You have not connected any applications/,
  );

  const again = await app.tokens(browser);
  assert.equal(await app.isActive(again.access), true);
});
