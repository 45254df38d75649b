import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { Assistant } from "./support/assistant.ts";

const PAGE = "https://assistant.example";

const listOf = (answer: Response, name: string) =>
  (answer.headers.get(name) ?? "").toLowerCase().split(/, */).sort();

test("only our own, loopback and configured origins may call, and CORS echoes just these", async () => {
  await using the = await world({ env: { MCP_ORIGINS: PAGE } });
  const assistant = await Assistant.authorized(the);
  for (const Origin of [the.authUrl, PAGE, "http://localhost:6274", "http://127.0.0.1:1", "http://[::1]:9"]) {
    const answer = await assistant.ask("tools/list", {}, { Origin });
    assert.equal(answer.status, 200, Origin);
    assert.equal(answer.headers.get("access-control-allow-origin"), Origin);
    assert.equal(answer.headers.get("access-control-allow-credentials"), null);
  }
  for (const Origin of [
    "https://evil.example",
    "null",
    `${PAGE}.evil.example`,
    "http://localhost.evil.example",
    "http://localhost:1@evil.example",
  ]) {
    for (const method of ["POST", "GET", "DELETE", "PUT", "PATCH", "OPTIONS"]) {
      const answer = await assistant.send(method, undefined, { Origin });
      assert.equal(answer.status, 403, `${method} ${Origin}`);
      assert.equal(answer.headers.get("access-control-allow-origin"), null);
      assert.equal(answer.headers.get("www-authenticate"), null);
    }
  }
  const program = await assistant.ask("tools/list");
  assert.equal(program.headers.get("access-control-allow-origin"), null);
});

test("the refusal of a foreign page names the setting that would allow it", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const answer = await assistant.ask("tools/list", {}, { Origin: PAGE });
  assert.equal(answer.status, 403);
  assert.match(await answer.text(), /Pages of this origin are not allowed.*MCP_ORIGINS/);
});

test("the operator can let every page call, with a token and never with cookies", async () => {
  await using the = await world({ env: { MCP_ORIGINS: "*" } });
  const assistant = await Assistant.authorized(the);
  const browser = await the.signedIn();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const Origin of [PAGE, "https://other.example", "http://plain.example:8080", "null"]) {
    const answer = await assistant.ask("tools/list", {}, { Origin });
    assert.equal(answer.status, 200, Origin);
    assert.equal(answer.headers.get("access-control-allow-origin"), Origin);
    assert.equal(answer.headers.get("access-control-allow-credentials"), null);
    assert.equal(answer.headers.get("vary")?.split(", ")[0], "Origin");
    const preflight = await fetch(`${the.authUrl}/mcp`, { method: "OPTIONS", headers: { Origin } });
    assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, Origin]);
    const withCookies = await fetch(`${the.authUrl}/mcp`, { headers: { Origin, Cookie: cookie } });
    assert.equal(withCookies.status, 401, "a session opens nothing here");
    assert.equal(withCookies.headers.get("set-cookie"), null);
  }
});

test("a preflight is answered without a token", async () => {
  await using the = await world({ env: { MCP_ORIGINS: PAGE } });
  for (const path of ["/mcp", "/mcp/"]) {
    const answer = await fetch(the.authUrl + path, {
      method: "OPTIONS",
      headers: { Origin: PAGE, "Access-Control-Request-Method": "POST" },
    });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get("access-control-allow-origin"), PAGE);
    assert.equal(answer.headers.get("access-control-max-age"), "86400");
    const headers =
      "authorization content-type last-event-id mcp-method mcp-name mcp-protocol-version mcp-session-id";
    assert.deepEqual(listOf(answer, "access-control-allow-headers"), headers.split(" "));
  }
});

test("a page can read the challenge of its own refusal", async () => {
  await using the = await world({ env: { MCP_ORIGINS: PAGE } });
  const stranger = new Assistant(the, "x");
  const answer = await stranger.ask("tools/list", {}, { Origin: PAGE });
  assert.equal(answer.status, 401);
  assert.equal(answer.headers.get("access-control-allow-origin"), PAGE);
  assert.deepEqual(listOf(answer, "access-control-expose-headers"), [
    "mcp-session-id",
    "retry-after",
    "www-authenticate",
    "x-request-id",
  ]);
});

test("an unsupported method gets the list of supported ones", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const taken = ["get", "head", "options", "post"];
  for (const method of ["DELETE", "PUT", "PATCH"]) {
    const answer = await assistant.send(method);
    assert.equal(answer.status, 405, method);
    assert.deepEqual(listOf(answer, "allow"), taken, method);
  }
  for (const method of ["GET", "HEAD"]) assert.equal((await assistant.send(method)).status, 200, method);
});
