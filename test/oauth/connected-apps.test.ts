import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { world } from "../world.ts";
import { Application } from "./application.ts";

test("a person sees who has access through them and takes it back, and the next call is refused", async () => {
  await using the = await world();
  const app = await Application.register(the, { client_name: "Mail & Deals" });
  const tokens = await app.tokens(await the.signedIn());
  const call = () => fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${tokens.access}` } });
  assert.equal((await call()).status, 200);

  const browser = await the.signedIn();
  const page = await (await browser.get("/connected-apps")).text();
  assert.match(page, /Mail &#38; Deals/);
  const form =
    /<form method="post" action="\/connected-apps\/revoke">([\s\S]*?)<\/form>/.exec(page)?.[1] ?? "";
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]+)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, value],
  );
  assert.equal((await browser.post("/connected-apps/revoke", fields)).status, 303);
  assert.equal((await call()).status, 401);
  assert.match(await (await browser.get("/connected-apps")).text(), /No application has access/);
});

test("nobody takes back what another person granted", async () => {
  await using the = await world();
  const tokens = await (await Application.register(the)).tokens(await the.signedIn());
  const [granted] = await the.sql<{ id: string }>("SELECT id FROM store.authorization");
  const other = await the.newPerson();
  await the.join(other, the.project.id, "owner");
  const browser = await the.signedIn(other);
  const { hidden } = await formOf(await browser.get("/connected-apps"));
  await browser.post("/connected-apps/revoke", {
    ...hidden,
    project_id: the.project.id,
    authorization_id: granted?.id ?? "",
  });
  const answer = await fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${tokens.access}` } });
  assert.equal(answer.status, 200);
});
