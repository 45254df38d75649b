import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import { post } from "../oauth/support/application.ts";
import { type World, type WorldOptions, world } from "../world.ts";
import { Assistant, answerOf, codeOf, META } from "./support/assistant.ts";
import { cancelled, watched } from "./support/fixture-registry.ts";
import { fixtureServer } from "./support/fixture-server.ts";
import { messagesOf } from "./support/messages-of.ts";

const ELICITING = { ...META, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
const STATE_TOOL = "test_input_required_result_request_state";

/** Serves the fixtures on the dispatcher of a world, for an authorized assistant. */
async function stage(options: WorldOptions = {}, scopes: string[] = ["mcp:read", "mcp:write"]) {
  const the = await world(options);
  const server = await fixtureServer(the);
  const make = async (wanted: string[] = scopes) => {
    const assistant = await Assistant.authorized(the, { scopes: wanted as never });
    return Object.assign(assistant, { url: server.url });
  };
  return {
    the,
    make,
    assistant: await make(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await the[Symbol.asyncDispose]();
    },
  };
}

const call = (assistant: Assistant, name: string, more: object = {}) =>
  assistant.ask("tools/call", { name, arguments: {}, ...more });

async function collected<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of from) all.push(each);
  return all;
}

test("a question's state is valid only for its own call and the person who was asked", async () => {
  await using scene = await stage();
  const { assistant } = scene;
  const { result } = await answerOf(await call(assistant, STATE_TOOL, { _meta: ELICITING }));
  assert.equal(result.resultType, "input_required");
  const answered = {
    _meta: ELICITING,
    requestState: result.requestState,
    inputResponses: { confirm: { action: "accept", content: { ok: true } } },
  };
  const other = await scene.make();
  for (const wrong of [
    call(other, STATE_TOOL, answered),
    call(assistant, "test_input_required_result_tampered_state", answered),
    call(assistant, STATE_TOOL, { ...answered, arguments: { more: 1 } }),
    call(assistant, STATE_TOOL, { ...answered, requestState: `${result.requestState}x` }),
    call(assistant, STATE_TOOL, { ...answered, requestState: 5 }),
    call(assistant, STATE_TOOL, { ...answered, inputResponses: { confirm: { action: "maybe" } } }),
  ]) {
    assert.deepEqual(await codeOf(await wrong), [200, -32_602]);
  }
  const again = await answerOf(await call(assistant, STATE_TOOL, answered));
  assert.match(JSON.stringify(again.result), /state-ok/);
});

test("an answer to a question that was not asked makes the server ask", async () => {
  await using scene = await stage();
  const inputResponses = { confirm: { action: "accept", content: { ok: true } } };
  const answer = await call(scene.assistant, STATE_TOOL, { _meta: ELICITING, inputResponses });
  assert.equal((await answerOf(answer)).result.resultType, "input_required");
});

test("a state outlives a new secret key, and expires after ten minutes", async () => {
  await using scene = await stage();
  const { the, assistant } = scene;
  const ask = async (more: object = {}) =>
    await answerOf(await call(assistant, STATE_TOOL, { _meta: ELICITING, ...more }));
  const { requestState } = (await ask()).result;
  const inputResponses = { confirm: { action: "accept", content: { ok: true } } };
  the.service.config.secretKeys.unshift("another key another key another key 1234");
  assert.equal((await ask({ requestState, inputResponses })).result.resultType, "complete");
  await the.sql(
    "CREATE OR REPLACE FUNCTION leadgate.moment() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT now() + interval '11 minutes' $$",
  );
  assert.match((await ask({ requestState, inputResponses })).error.message, /expired/);
});

test("a question that the client does not support is refused with the missing capabilities", async () => {
  await using scene = await stage();
  const answer = await call(scene.assistant, STATE_TOOL);
  assert.equal(answer.status, 400);
  const { error } = await answerOf(answer);
  assert.equal(error.code, -32_021);
  assert.deepEqual(error.data.requiredCapabilities, { elicitation: {} });
});

test("a write tool is refused to a read-only token, and not listed for it", async () => {
  await using scene = await stage();
  const reader = await scene.make(["mcp:read"]);
  const answer = await call(reader, "test_writes");
  assert.equal(answer.status, 403);
  assert.match(
    answer.headers.get("www-authenticate") ?? "",
    /insufficient_scope.*scope="mcp:read mcp:write"/,
  );
  const shown = async (who: Assistant) =>
    JSON.stringify((await answerOf(await who.ask("tools/list"))).result);
  assert.doesNotMatch(await shown(reader), /test_writes/);
  assert.match(await shown(scene.assistant), /test_writes/);
  assert.equal((await call(scene.assistant, "test_writes")).status, 200);
});

test("a tool that reads no database requires a valid token too", async () => {
  await using scene = await stage();
  await post(scene.the, "/api/oauth/revoke", { token: scene.assistant.token });
  for (const answer of [
    await call(scene.assistant, "test_simple_text"),
    await call(scene.assistant, "test_headers", { arguments: { region: 5 } }),
    await call(scene.assistant, "no_such_tool"),
    await read(scene.assistant, "test://static-text"),
    await read(scene.assistant, "test://nowhere"),
    await scene.assistant.ask("prompts/get", { name: "test_simple_prompt" }),
  ]) {
    assert.equal(answer.status, 401);
    await answer.arrayBuffer();
  }
});

const read = (assistant: Assistant, uri: string) =>
  assistant.ask("resources/read", { uri }, { "Mcp-Name": uri });

test("an unknown URI is named: -32602 since 2026-07-28, -32002 before", async () => {
  await using scene = await stage();
  for (const uri of ["test://nowhere", "test://template/none/data", "../etc/passwd", ""]) {
    const answer = await read(scene.assistant, uri);
    assert.equal(answer.status, 200);
    const { error } = await answerOf(answer);
    assert.deepEqual([error.code, error.data.uri], [-32_602, uri]);
    const before = await answerOf(await scene.assistant.askEarlier("resources/read", { uri }));
    assert.deepEqual([before.error.code, before.error.data.uri], [-32_002, uri]);
  }
});

test("an argument that a tool marks must be repeated in its header, or the call is refused", async () => {
  await using scene = await stage();
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
  const ask = (args: object, headers: Record<string, string>) =>
    scene.assistant.ask("tools/call", { name: "test_headers", arguments: args }, headers);
  const args = { region: "São Paulo", where: { row: 42 } };
  const right = { "Mcp-Param-Region": base64("São Paulo"), "Mcp-Param-Row": "42.0" };
  assert.equal((await ask(args, right)).status, 200);
  assert.equal((await ask({}, { "Mcp-Param-Region": "ignored" })).status, 200);
  for (const wrong of [
    {},
    { ...right, "Mcp-Param-Row": "43" },
    { ...right, "Mcp-Param-Region": "S" },
    { ...right, "Mcp-Param-Region": "=?base64?U8Ojby?=" },
  ]) {
    assert.deepEqual(await codeOf(await ask(args, wrong as Record<string, string>)), [400, -32_020]);
  }
});

test("progress precedes the answer, for clients that request it and accept a stream", async () => {
  await using scene = await stage();
  const _meta = { ...META, progressToken: "p1" };
  const answer = await call(scene.assistant, "test_tool_with_progress", { _meta });
  const messages = await collected(messagesOf(answer));
  assert.deepEqual(
    messages.map(({ method, id }) => method ?? id),
    ["notifications/progress", "notifications/progress", "notifications/progress", 7],
  );
  const plain = await scene.assistant.ask(
    "tools/call",
    { name: "test_tool_with_progress", arguments: {}, _meta },
    { Accept: "application/json" },
  );
  assert.match(plain.headers.get("content-type") ?? "", /application\/json/);
  assert.equal((await answerOf(plain)).result.resultType, "complete");
});

test("a client that disconnects cancels its call", async () => {
  await using scene = await stage();
  const before = cancelled.count;
  const _meta = { ...META, progressToken: 1 };
  const messages = messagesOf(await call(scene.assistant, "test_waits", { _meta }));
  await messages.next();
  await messages.return(undefined);
  while (cancelled.count === before) await sleep(20);
});

const subscribe = (assistant: Assistant, notifications: unknown) =>
  assistant.ask("subscriptions/listen", { notifications });

large(
  "a subscription is first acknowledged with what it will report, and then reports changed resources",
  async () => {
    await using scene = await stage();
    const uris = ["test://watched-resource", "test://nowhere"];
    const before = watched.reads;
    const messages = messagesOf(await subscribe(scene.assistant, { resourceSubscriptions: uris }));
    const { value: first } = await messages.next();
    assert.equal(first?.method, "notifications/subscriptions/acknowledged");
    assert.deepEqual(first?.params, {
      notifications: { resourceSubscriptions: ["test://watched-resource"] },
      _meta: { "io.modelcontextprotocol/subscriptionId": 7 },
    });
    // Waits until the stream has read it for the first time.
    while (watched.reads === before) await sleep(20);
    watched.version += 1;
    const { value: second } = await messages.next();
    assert.equal(second?.method, "notifications/resources/updated");
    assert.equal((second?.params as { uri?: string } | undefined)?.uri, "test://watched-resource");
    await messages.return(undefined);
  },
);

test("a subscription to nothing that changes ends at once, and an invalid filter is refused", async () => {
  await using scene = await stage();
  const messages = await collected(messagesOf(await subscribe(scene.assistant, {})));
  assert.deepEqual(
    messages.map(({ method, id }) => method ?? id),
    ["notifications/subscriptions/acknowledged", 7],
  );
  for (const wrong of [undefined, 5, { toolsListChanged: "yes" }, { resourceSubscriptions: [5] }]) {
    assert.deepEqual(await codeOf(await subscribe(scene.assistant, wrong)), [200, -32_602]);
  }
});

test("the lists of a stream change with the person's role, and it ends with the token", async () => {
  await using scene = await stage();
  const { the, assistant } = scene;
  const messages = messagesOf(await subscribe(assistant, { toolsListChanged: true }));
  await messages.next();
  await role(the, "viewer");
  assert.equal((await messages.next()).value?.method, "notifications/tools/list_changed");
  await post(the, "/api/oauth/revoke", { token: assistant.token });
  assert.equal((await messages.next()).done, true);
});

const role = (the: World, name: string) =>
  the.sql("UPDATE membership SET role = $1 WHERE person_id = $2", [name, the.person.id]);

test("a token may open eight streams", async () => {
  await using scene = await stage();
  const open: AsyncGenerator[] = [];
  for (let n = 0; n < 8; n += 1) {
    const messages = messagesOf(await subscribe(scene.assistant, { toolsListChanged: true }));
    await messages.next();
    open.push(messages);
  }
  assert.deepEqual(
    await codeOf(await subscribe(scene.assistant, { toolsListChanged: true })),
    [200, -32_603],
  );
  await open[0]?.return(undefined);
  // The service notices the end with a delay.
  const next = async () => {
    await sleep(100);
    return await subscribe(scene.assistant, { toolsListChanged: true });
  };
  let answer = await next();
  for (; answer.headers.get("content-type")?.startsWith("application/json") === true; answer = await next())
    await answer.text();
  const messages = messagesOf(answer);
  assert.equal((await messages.next()).done, false);
  for (const each of [...open, messages]) await each.return(undefined);
});

test("completion returns what starts as typed, and refuses unknown arguments", async () => {
  await using scene = await stage();
  const complete = (ref: object, value: unknown, context?: unknown) =>
    scene.assistant.ask("completion/complete", {
      ref,
      argument: { name: "uri" in ref ? "id" : "arg1", value },
      ...(context === undefined ? {} : { context }),
    });
  const prompt = { type: "ref/prompt", name: "test_prompt_with_arguments" };
  const template = { type: "ref/resource", uri: "test://template/{id}/data" };
  const valuesOf = async (answer: Response) => (await answerOf(answer)).result.completion;
  assert.deepEqual(await valuesOf(await complete(prompt, "pari")), {
    values: ["paris"],
    total: 1,
    hasMore: false,
  });
  assert.deepEqual(await valuesOf(await complete(template, "12", { arguments: { x: "y" } })), {
    values: ["123", "124"],
    total: 2,
    hasMore: false,
  });
  for (const wrong of [
    complete({ type: "ref/prompt", name: "none" }, ""),
    complete({ type: "ref/resource", uri: "test://none" }, ""),
    complete({}, ""),
    complete(prompt, 5),
    complete(prompt, "", { arguments: { x: 5 } }),
  ]) {
    assert.deepEqual(await codeOf(await wrong), [200, -32_602]);
  }
});

test("an unexpected error in a tool reveals no internals", async () => {
  await using scene = await stage();
  const text = await (await call(scene.assistant, "test_throws")).text();
  assert.match(text, /"isError":true/);
  assert.doesNotMatch(text, /secret of the inside/);
});
