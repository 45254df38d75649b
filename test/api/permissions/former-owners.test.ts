import assert from "node:assert/strict";
import { test } from "node:test";
import type { Browser } from "../../browser.ts";
import { Assistant } from "../../mcp/support/assistant.ts";
import { Application } from "../../oauth/support/application.ts";
import { world } from "../../world.ts";

test("who is no owner any more erases nothing, by the panel or an application; the project's keys stay", async () => {
  await using the = await world();
  const former = await the.newPerson("Fay");
  await the.join(former, the.project.id, "owner");
  const browser = await the.signedIn(former);
  const { access } = await (await Application.register(the)).tokens(browser);
  const assistant = new Assistant(the, access);
  const key = await the.key(["leads:write", "leads:erase", "schema:write"]);
  await the.sql("UPDATE store.api_key SET created_by = $1", [former.id]);
  const { token } = (await (await browser.get("/panel/api/me")).json()) as { token: string };
  const inPanel = async (method: string, path: string, body?: object) =>
    await asPanel(browser, token, `/panel/api/${the.project.id}/v1/${path}`, method, body);
  const made = async () =>
    (
      (await (await key.send("POST", "/api/v1/leads", { email: "ana@example.org" })).json()) as {
        id: string;
      }
    ).id;
  const person = { email: "ana@example.org", expected_leads: 0 };
  assert.equal((await inPanel("DELETE", `leads/${await made()}?erase=true`)).status, 204);
  assert.equal((await inPanel("POST", "people/erase", person)).status, 200);
  const lead = await made();
  for (const role of ["admin", "editor", "viewer", undefined]) {
    if (role === undefined) await the.sql("DELETE FROM membership WHERE person_id = $1", [former.id]);
    else await the.sql("UPDATE membership SET role = $2 WHERE person_id = $1", [former.id, role]);
    const status = role === undefined ? 404 : 403;
    assert.equal((await inPanel("DELETE", `leads/${lead}?erase=true`)).status, status, role);
    assert.equal((await inPanel("POST", "people/erase", person)).status, status, role);
    const fields = await inPanel("PUT", "quiet-fields", { fields: ["score"] });
    assert.equal(fields.status, role === "admin" || role === "editor" ? 200 : status, role);
    const change = { name: "update_lead", arguments: { id: lead, set: { score: 1 } } };
    const { status: changed } = await assistant.ask("tools/call", change);
    assert.equal(changed, { admin: 200, editor: 200, viewer: 403 }[role ?? ""] ?? 401, role);
  }
  assert.equal((await key.send("PUT", "/api/v1/quiet-fields", { fields: [] })).status, 200);
  assert.equal((await key.send("DELETE", `/api/v1/leads/${lead}?erase=true`)).status, 204);
});

/** Sends a call as the panel does. */
async function asPanel(
  browser: Browser,
  token: string,
  path: string,
  method: string,
  body?: object,
): Promise<Response> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return await fetch(browser.origin + path, {
    method,
    headers: {
      Cookie: cookie,
      "X-Form-Token": token,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
