import assert from "node:assert/strict";
import { test } from "node:test";
import { perform } from "../../../src/domain/operation/operation.ts";
import { removeMember } from "../../../src/domain/projects/members/remove-member.ts";
import { Assistant, answerOf } from "../../mcp/support/assistant.ts";
import { world } from "../../world.ts";
import { Application, bodyOf, post, refusalIn } from "../support/application.ts";

test("a token may do what its scopes and its person's current role allow, from the next call on, and a removal is final", async () => {
  await using the = await world();
  const member = await the.newPerson("Mia");
  const role = (name: "editor" | "viewer" | "admin") => the.join(member, the.project.id, name);
  await role("editor");
  const app = await Application.register(the);
  const browser = await the.signedIn(member);
  const tokens = await app.tokens(browser);
  const assistant = new Assistant(the, tokens.access);
  const writing = await app.tokens(browser, { scopes: ["mcp:write"] });

  /** Returns what a call, the tools and introspection report of the read-and-write token. */
  const standing = async () => {
    const listed = await assistant.ask("tools/list");
    const tools = listed.status === 200 ? (await answerOf(listed)).result.tools : [];
    const { active } = await bodyOf(await post(the, "/api/oauth/introspect", { token: tokens.access }));
    const read = await assistant.ask("tools/call", { name: "query_leads", arguments: {} });
    const onlyWrites = await new Assistant(the, writing.access).ask("tools/call", {
      name: "query_leads",
      arguments: {},
    });
    return {
      read: read.status,
      active,
      sees: (tools as unknown[]).length > 0,
      "reading with writing alone": onlyWrites.status,
    };
  };
  const working = { read: 200, active: true, sees: true, "reading with writing alone": 403 };
  assert.deepEqual(await standing(), working);
  await role("viewer");
  assert.deepEqual(await standing(), working, "a viewer's token still reads");
  const fresh = await app.tokens(browser);
  const asked = await bodyOf(await post(the, "/api/oauth/introspect", { token: fresh.access }));
  assert.equal(asked.scope, "mcp:read", "a viewer grants no writing");
  await role("admin");
  assert.deepEqual(await standing(), working);
  const still = await bodyOf(await post(the, "/api/oauth/introspect", { token: fresh.access }));
  assert.equal(still.scope, "mcp:read", "a better role adds nothing to what was granted");

  const manager = { personId: the.person.id, projectId: the.project.id };
  await perform(the.service, removeMember, manager, { personId: member.id });
  const ended = { read: 401, active: false, sees: false, "reading with writing alone": 401 };
  assert.deepEqual(await standing(), ended);
  assert.match(await refusalIn(await app.refresh(tokens.refresh)), /^400 invalid_grant/);
  await role("editor");
  assert.deepEqual(await standing(), ended, "whoever comes back authorizes again");
  assert.match(await refusalIn(await app.refresh(tokens.refresh)), /^400 invalid_grant/);
  assert.ok(await app.isActive((await app.tokens(browser)).access));
});
