import assert from "node:assert/strict";
import { test } from "node:test";
import { Application, bodyOf, post } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { Assistant, answerOf } from "./support/assistant.ts";

const challenge = (the: World, error = "") =>
  `Bearer ${error}resource_metadata="${the.authUrl}/.well-known/oauth-protected-resource/mcp", scope="mcp:read mcp:write"`;

const refused = async (answer: Response): Promise<[number, string | null]> => {
  await answer.arrayBuffer();
  return [answer.status, answer.headers.get("www-authenticate")];
};

test("without a credential every method but the preflight is challenged", async () => {
  await using the = await world();
  const stranger = new Assistant(the, "");
  const none = { Authorization: undefined };
  for (const answer of [
    await stranger.send("GET", undefined, none),
    await stranger.send("POST", { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }, none),
    await stranger.send("POST", "{broken", none),
    await fetch(`${stranger.url}/`, { method: "POST" }),
  ]) {
    assert.deepEqual(await refused(answer), [401, challenge(the)]);
  }
});

test("an unknown, malformed, expired or revoked token is challenged as invalid, whatever is requested", async () => {
  await using the = await world({ alone: true });
  const assistant = await Assistant.authorized(the);
  const invalid = [401, challenge(the, 'error="invalid_token", ')];
  const key = await the.key();
  for (const text of ["x", key.text, `${assistant.token}0`]) {
    assert.deepEqual(await refused(await new Assistant(the, text).ask("tools/list")), invalid);
  }
  await post(the, "/api/oauth/revoke", { token: assistant.token });
  for (const answer of [
    await assistant.ask("server/discover"),
    await assistant.ask("no/such/method"),
    await assistant.ask("tools/call", { name: "query_leads", arguments: { limit: "many" } }),
    await assistant.ask("tools/call", { name: "get_lead", arguments: { id: "lead_1" } }),
    await assistant.askEarlier("initialize", { protocolVersion: "2025-11-25" }),
    await assistant.post({ jsonrpc: "2.0", method: "notifications/initialized" }),
    await assistant.post([{ jsonrpc: "2.0", id: 1, method: "ping" }]),
    await assistant.post("{broken"),
    await assistant.send("GET"),
  ]) {
    assert.deepEqual(await refused(answer), invalid);
  }
  const other = await Assistant.authorized(the);
  await the.sql("UPDATE store.access_token SET expires_at = now() - interval '1 second'");
  assert.deepEqual(await refused(await other.ask("tools/list")), invalid);
});

test("a person's removal from the project ends their assistants' access", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  assert.equal((await assistant.ask("tools/list")).status, 200);
  await the.sql("DELETE FROM membership WHERE person_id = $1", [the.person.id]);
  assert.equal((await assistant.ask("tools/list")).status, 401);
});

test("a token without the scope is refused with the scopes to request", async () => {
  await using the = await world();
  const writer = await Assistant.authorized(the, { scopes: ["mcp:write"] });
  const answer = await writer.ask("tools/call", { name: "query_leads" });
  assert.deepEqual(await refused(answer), [403, challenge(the, 'error="insufficient_scope", ')]);
  const uri = "leads://project";
  const read = await writer.ask("resources/read", { uri }, { "Mcp-Name": uri });
  assert.deepEqual(await refused(read), [403, challenge(the, 'error="insufficient_scope", ')]);
});

test("a caller whose role only reads by now is refused, without a request for a scope that the token has", async () => {
  await using the = await world({ alone: true });
  const assistant = await Assistant.authorized(the);
  await the.sql("UPDATE membership SET role = 'viewer' WHERE person_id = $1", [the.person.id]);
  const answer = await assistant.ask("tools/call", {
    name: "create_lead",
    arguments: { lead: { name: "Lia" } },
  });
  const text = await answer.text();
  assert.deepEqual([answer.status, answer.headers.get("www-authenticate")], [403, null]);
  assert.match(text, /role in this project/);
  assert.equal((await the.sql("SELECT FROM store.lead")).length, 0);
});

test("a plain GET describes the entry point to authorized callers", async () => {
  await using the = await world();
  const application = await Application.register(the);
  const { access } = await application.tokens(await the.signedIn(), { scopes: ["mcp:read"] });
  for (const [path, accept] of [
    ["/mcp", "*/*"],
    ["/mcp/", "application/json, text/event-stream"],
  ] as const) {
    const answer = await fetch(the.authUrl + path, {
      headers: { Authorization: `Bearer ${access}`, Accept: accept },
    });
    assert.equal(answer.status, 200);
    const { scopes, project, protocol_versions: versions, tools } = await bodyOf(answer);
    assert.deepEqual({ scopes, project }, { scopes: ["mcp:read"], project: the.project });
    assert.deepEqual(versions, ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]);
    const names = (tools as { name: string }[]).map(({ name }) => name);
    assert.ok(names.includes("find_leads") && !names.includes("write_leads"), String(names));
  }
});

test("a plain GET reports only the scopes and tools that the person's role still allows", async () => {
  await using the = await world();
  const member = await the.newPerson("Bo");
  await the.join(member, the.project.id, "editor");
  const application = await Application.register(the);
  const browser = await the.signedIn(member);
  const described = async (token: string) => {
    const answer = await fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200);
    const { scopes, tools } = await bodyOf(answer);
    const names = (tools as { name: string }[]).map(({ name }) => name);
    return [scopes, names.includes("find_leads"), names.includes("write_leads")];
  };
  const { access } = await application.tokens(browser);
  const { access: writing } = await application.tokens(browser, { scopes: ["mcp:write"] });
  assert.deepEqual(await described(access), [["mcp:read", "mcp:write"], true, true]);
  await the.sql("UPDATE membership SET role = 'viewer' WHERE person_id = $1", [member.id]);
  assert.deepEqual(await described(access), [["mcp:read"], true, false]);
  assert.deepEqual(await described(writing), [[], false, false]);
});

test("there is no stream and no session to end", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  for (const answer of [
    await assistant.send("GET", undefined, { Accept: "text/event-stream" }),
    await assistant.send("DELETE", undefined, { "Mcp-Session-Id": "x" }),
  ]) {
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get("allow"), "GET, HEAD, POST, OPTIONS");
  }
});

test("a database that is down is 503, not a challenge", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const away = async (): Promise<never> => {
    throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  };
  Object.defineProperty(the.service.db.pool, "connect", { value: away, configurable: true });
  try {
    for (const answer of [
      await assistant.ask("tools/list"),
      await assistant.ask("tools/call", { name: "query_leads" }),
      await assistant.send("GET"),
    ]) {
      assert.deepEqual(await refused(answer.clone()), [503, null]);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
      assert.ok(!JSON.stringify(await answerOf(answer)).includes("ECONNREFUSED"));
    }
  } finally {
    Reflect.deleteProperty(the.service.db.pool, "connect");
  }
});
