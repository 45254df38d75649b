import assert from "node:assert/strict";
import { test } from "node:test";
import { filled, type Side } from "../api/support/two-projects.ts";
import { contents } from "../contents.ts";
import { Application, post } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { Assistant, answerOf } from "./support/assistant.ts";
import { PROMPT_USES, uriOf, variableOf } from "./support/every-use.ts";

interface Ask {
  method: string;
  params: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Returns requests for everything that the server offers besides tools, about the things of one project. */
async function asksFor(assistant: Assistant, { ids }: Side): Promise<Ask[]> {
  const ground = { ids, versions: { lead: 1, other: 1 } };
  const listed = async (method: string) => (await answerOf(await assistant.ask(method))).result;
  const { resources } = (await listed("resources/list")) as unknown as { resources: { uri: string }[] };
  const { resourceTemplates: templates } = (await listed("resources/templates/list")) as unknown as {
    resourceTemplates: { uriTemplate: string }[];
  };
  const { prompts } = (await listed("prompts/list")) as unknown as {
    prompts: { name: string; arguments: { name: string }[] }[];
  };
  assert.deepEqual(prompts.map(({ name }) => name).sort(), Object.keys(PROMPT_USES).sort());
  const uris = [
    ...resources.map(({ uri }) => uri),
    ...templates.map(({ uriTemplate }) => uriOf(uriTemplate, ground)),
  ];
  const complete = (ref: object, name: string): Ask => ({
    method: "completion/complete",
    params: { ref, argument: { name, value: "" } },
  });
  return [
    ...uris.map((uri) => ({ method: "resources/read", params: { uri }, headers: { "Mcp-Name": uri } })),
    ...templates.map(({ uriTemplate: uri }) => complete({ type: "ref/resource", uri }, variableOf(uri))),
    ...prompts.map(({ name }) => ({
      method: "prompts/get",
      params: { name, arguments: PROMPT_USES[name]?.(ground) ?? {} },
    })),
    ...prompts.flatMap(({ name, arguments: args }) =>
      args.map((argument) => complete({ type: "ref/prompt", name }, argument.name)),
    ),
    ...["resources/list", "resources/templates/list", "prompts/list"].map((method) => ({
      method,
      params: {},
    })),
  ];
}

async function member(the: World, { ids, mark }: Side, scopes = ["mcp:read", "mcp:write"]) {
  const person = await the.newPerson(mark);
  await the.join(person, ids.project, "owner");
  const app = await Application.register(the);
  const tokens = await app.tokens(await the.signedIn(person), { projectId: ids.project, scopes });
  return { assistant: new Assistant(the, tokens.access), refresh: tokens.refresh };
}

test("no resource, prompt or completion accepts a wrong credential, reveals anything of another project, or changes a row", async () => {
  await using the = await world({ alone: true });
  const [alder, birch] = [await filled(the, "alder"), await filled(the, "birch")];
  const { assistant, refresh } = await member(the, alder);
  const other = (await member(the, birch)).assistant;
  const revoked = (await member(the, alder)).assistant.token;
  await post(the, "/api/oauth/revoke", { token: revoked });
  const expired = (await member(the, alder)).assistant.token;
  await the.sql(
    `UPDATE store.access_token SET expires_at = now() WHERE issued_at = (SELECT max(issued_at) FROM store.access_token)`,
  );
  const writer = (await member(the, alder, ["mcp:write"])).assistant;
  const asks = await asksFor(assistant, alder);
  const before = await contents(the);
  const send = (by: Assistant, { method, params, headers = {} }: Ask, more = {}) =>
    by.ask(method, params, { ...headers, ...more });
  for (const ask of asks) {
    const name = `${ask.method} ${JSON.stringify(ask.params)}`;
    for (const text of ["garbage", alder.key.text, refresh, revoked, expired]) {
      const answer = await send(new Assistant(the, text), ask);
      assert.equal(answer.status, 401, `${name} took ${text}`);
      assert.match(answer.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
      assert.ok(!(await answer.text()).includes(alder.mark));
    }
    assert.equal((await send(new Assistant(the, ""), ask, { Authorization: undefined })).status, 401, name);
    if (!ask.method.endsWith("/list")) {
      const answer = await send(writer, ask);
      assert.equal(answer.status, 403, name);
      assert.match(answer.headers.get("www-authenticate") ?? "", /insufficient_scope/);
    }
    const own = await (await send(assistant, ask)).text();
    assert.ok(!own.includes(birch.mark), name);
    const theirs = await (await send(other, ask)).text();
    assert.ok(!theirs.includes(alder.mark), `${name} told ${theirs}`);
  }
  assert.deepEqual(await contents(the), before);
});
