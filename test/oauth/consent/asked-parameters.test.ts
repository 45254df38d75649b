import assert from "node:assert/strict";
import { after, test } from "node:test";
import { formOf } from "../../browser.ts";
import { world } from "../../world.ts";
import { Application, bodyOf, REDIRECT } from "../support/application.ts";

const the = await world();
after(() => the[Symbol.asyncDispose]());
const browser = await the.signedIn();
const app = await Application.register(the);
// errors return to an application that the person has approved before
const { refresh } = await app.tokens(browser);
const ours = [the.authUrl, `${the.authUrl}/`, `${the.authUrl}/mcp`, `${the.authUrl}/mcp/`];
const FOREIGN = "https://elsewhere.example/mcp";
const naming = (resources: readonly string[]): string =>
  resources.map((resource) => `&resource=${encodeURIComponent(resource)}`).join("");

/** Returns the error that the application receives for a request with these further parameters; undefined if none. */
async function errorOf(more: string): Promise<string | undefined> {
  const answer = await browser.get(app.address() + more);
  if (answer.status === 200) return undefined;
  assert.equal(answer.status, 303, more);
  const back = new URL(answer.headers.get("location") ?? "");
  assert.equal(back.origin + back.pathname, REDIRECT);
  return back.searchParams.get("error") ?? "";
}

test("response_mode may be query; another or a repeated one is refused, and the refusal arrives by query", async () => {
  for (const more of ["", "&response_mode=query", "&response_mode="]) {
    assert.equal(await errorOf(more), undefined, more);
  }
  for (const mode of ["fragment", "form_post", "jwt", "query.jwt", "QUERY", "web_message"]) {
    assert.equal(await errorOf(`&response_mode=${mode}`), "invalid_request", mode);
  }
  assert.equal(await errorOf("&response_mode=query&response_mode=query"), "invalid_request");
});

test("an authorization request may name several resources if each is ours, and other parameters only once", async () => {
  for (const resources of [ours, [ours[0], ours[0]], ["", ours[2]], ["", ""]]) {
    assert.equal(await errorOf(naming(resources.map(String))), undefined, String(resources));
  }
  for (const resources of [
    [...ours, FOREIGN],
    [FOREIGN, ...ours],
    [FOREIGN, FOREIGN],
    ["", FOREIGN],
  ]) {
    assert.equal(await errorOf(naming(resources)), "invalid_target", String(resources));
  }
  assert.equal(await errorOf("&scope=mcp:read"), "invalid_request");
});

test("the consent form keeps all resources that the request named", async () => {
  const form = await formOf(await browser.get(app.address() + naming(ours)));
  const answer = await browser.post(form.action, {
    ...form.hidden,
    project_id: the.project.id,
    scope: "mcp:read",
    decision: "approve",
  });
  assert.ok(new URL(answer.headers.get("location") ?? "").searchParams.get("code"));
});

test("a code is exchanged and a token refreshed for several resources if each is ours", async () => {
  const send = (fields: Record<string, string>, resources: readonly string[]) =>
    fetch(`${the.authUrl}/api/oauth/token`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString() + naming(resources),
    });
  const granted = await app.code(browser);
  const exchanged = {
    grant_type: "authorization_code",
    code: granted.code,
    client_id: granted.clientId,
    redirect_uri: granted.redirectUri,
    code_verifier: granted.verifier,
  };
  const refreshed = { grant_type: "refresh_token", refresh_token: refresh, client_id: app.clientId };
  for (const fields of [exchanged, refreshed]) {
    for (const resources of [
      [...ours, FOREIGN],
      [FOREIGN, ""],
    ]) {
      const refused = await send(fields, resources);
      assert.deepEqual([refused.status, (await bodyOf(refused)).error], [400, "invalid_target"]);
    }
    assert.equal((await send(fields, ["", ...ours])).status, 200, fields.grant_type);
  }
});

test("revocation and introspection name no resource, so a repeated one is refused like any other parameter", async () => {
  for (const path of ["revoke", "introspect"]) {
    const answer = await fetch(`${the.authUrl}/api/oauth/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `token=lga_x${naming(ours)}`,
    });
    assert.deepEqual([answer.status, (await bodyOf(answer)).error], [400, "invalid_request"], path);
  }
});
