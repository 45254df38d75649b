import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf } from "../api/support/log-lines.ts";
import { Assistant } from "../mcp/support/assistant.ts";
import { world } from "../world.ts";
import { attempt, secondStep, setUpApp } from "./support/signing-in.ts";

test("mistakes of people and programs are refused, but are no errors in the operator's log", async () => {
  await using the = await world({ env: { LOG_LEVEL: "error" } });
  const assistant = await Assistant.authorized(the);
  await setUpApp(await the.signedIn(), the.person.password);
  const lines = linesOf(the);
  const browser = the.browser();
  const { email, password } = the.person;
  assert.equal((await attempt(browser, { email, password: "wrong one" })).status, 401);
  const asked = await attempt(browser, { email, password });
  assert.equal((await secondStep(browser, asked, { code: "000000" })).status, 401);
  assert.equal((await new Assistant(the, "wrong").ask("tools/list")).status, 401);
  assert.deepEqual(lines, []);
  await the.sql("ALTER TABLE store.access_token RENAME TO access_token_away");
  assert.equal((await assistant.ask("tools/list")).status, 500);
  assert.match(lines.join(""), /request failed/, "an error of the service is in it");
  await the.sql("ALTER TABLE store.access_token_away RENAME TO access_token");
});
