import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../../browser.ts";
import { world } from "../../world.ts";
import { Application, exchange } from "../support/application.ts";

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
  assert.match(
    await (await browser.get("/connected-apps")).text(),
    /You have not connected any applications/,
  );
});

test("a person cannot revoke what another person granted", async () => {
  await using the = await world({ alone: true });
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

test("the authorizations of one application stand together and end together, codes under way too", async () => {
  await using the = await world();
  const second = await the.newProject(the.person, "Second project");
  const browser = await the.signedIn();
  const app = await Application.register(the, { client_name: "Both" });
  const other = await Application.register(the, { client_name: "Other" });
  const tokens = [
    await app.tokens(browser, { scopes: ["mcp:read"] }),
    await app.tokens(browser, { projectId: second.id }),
  ];
  const kept = await other.tokens(browser);
  const pending = await app.code(browser);
  const page = await (await browser.get("/connected-apps")).text();
  assert.equal(page.match(/<h2 /g)?.length, 2);
  assert.match(page, /Can read\.[\s\S]*Can read, create, edit and delete\./);
  assert.match(page, /returns to <bdi>app\.example<\/bdi>/);
  assert.match(page, /not used yet/);
  const { hidden } = await formOf(await browser.get("/connected-apps"));
  const all = { ...hidden, client_id: app.clientId };
  const stranger = await the.signedIn(await the.newPerson());
  const { hidden: theirs } = await formOf(await stranger.get("/connected-apps"));
  await stranger.post("/connected-apps/revoke-all", { ...theirs, client_id: app.clientId });
  assert.equal(await app.isActive(tokens[0]?.access ?? ""), true, "a stranger ends nothing");
  for (let press = 0; press < 2; press += 1) {
    assert.equal((await browser.post("/connected-apps/revoke-all", all)).status, 303);
  }
  for (const { access, refresh } of tokens) {
    assert.equal(await app.isActive(access), false);
    assert.equal((await app.refresh(refresh)).status, 400);
  }
  assert.equal((await exchange(the, pending)).status, 400);
  assert.equal(await other.isActive(kept.access), true);
});

test("the list is in Portuguese for those who chose it, with each application's permissions and last use", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const app = await Application.register(the);
  await app.tokens(browser);
  await the.sql("UPDATE store.authorization SET last_used_at = '2026-02-03T12:00:00Z'");
  const page = await (await browser.get("/connected-apps", { "Accept-Language": "pt" })).text();
  assert.match(page, /Aplicativos conectados/);
  assert.match(page, /Pode ler, criar, editar e excluir/);
  assert.match(page, /usado pela última vez em 3 de fev\. de 2026/);
});
