import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "../../browser.ts";
import { leadgate } from "../../cli/support/leadgate.ts";
import { Assistant } from "../../mcp/support/assistant.ts";
import { Application } from "../../oauth/support/application.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

/** A key made at the command line that may not export leads. */
async function keyWithoutExport(the: World, permissions = "leads:read"): Promise<KeyActor> {
  const words = ["key", "create", "--project", the.project.id, "--name", "Kiosk"];
  const made = await leadgate(the, [...words, "--permissions", permissions, "--no-export", "--json"]);
  assert.equal(made.code, 0, made.err);
  const { key, id } = JSON.parse(made.out) as { key: string; id: string };
  const send = (method: string, path: string, body?: unknown) =>
    fetch(the.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    id,
    text: key,
    send,
    query: (body) => send("POST", "/api/leads/query/", { project_id: the.project.id, ...body }),
  };
}

/** An export that is done, by a key that may export. */
async function exported(key: KeyActor): Promise<string> {
  const { id } = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", {}), 202);
  for (;;) {
    const { state } = await bodyOf<{ state: string }>(await key.send("GET", `/api/v1/exports/${id}`));
    if (state === "done") return id;
    assert.notEqual(state, "failed");
    await sleep(20);
  }
}

/** Starts an export as the panel does. */
async function startInPanel(the: World, browser: Browser): Promise<Response> {
  const { token } = (await (await browser.get("/panel/api/me")).json()) as { token: string };
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return await fetch(`${the.authUrl}/panel/api/${the.project.id}/v1/exports`, {
    method: "POST",
    headers: { Cookie: cookie, "X-Form-Token": token, "Content-Type": "application/json" },
    body: "{}",
  });
}

test("a key without export reads leads, and takes them out by no endpoint", async () => {
  await using the = await world();
  const [usual, kiosk] = [await the.key(["leads:read"]), await keyWithoutExport(the)];
  const id = await exported(usual);
  assert.equal((await kiosk.query({ limit: 5 })).status, 200);
  assert.equal((await kiosk.send("GET", `/api/v1/exports/${id}`)).status, 200, "the record is no file");
  const file = { project_id: the.project.id };
  const current = await kiosk.send("POST", "/api/leads/export/", file);
  assert.equal(current.status, 403);
  assert.equal(((await current.json()) as { code: string }).code, "export_withheld");
  for (const [method, path, body] of [
    ["POST", "/api/v1/exports", {}],
    ["GET", `/api/v1/exports/${id}/file`, undefined],
  ] as const) {
    const { status, code } = await refusalOf(await kiosk.send(method, path, body));
    assert.deepEqual([status, code], [403, "export_withheld"], path);
    assert.ok((await usual.send(method, path, body)).ok, path);
  }
  assert.equal((await usual.send("POST", "/api/leads/export/", file)).status, 200);
  const keys = await (
    await (await the.signedIn()).get(`/projects/${the.project.id}/settings/api-keys`)
  ).text();
  assert.match(keys, /Kiosk.*leads:read <span class="quiet">\(no export\)/s);
});

test("a key without export takes out no file of an import's rows, and cancels no export", async () => {
  await using the = await world();
  const [usual, kiosk] = [
    await the.key(["leads:read", "leads:write"]),
    await keyWithoutExport(the, "leads:read,leads:write"),
  ];
  const { id } = await bodyOf<{ id: string }>(
    await fetch(`${the.baseUrl}/api/v1/imports`, {
      method: "POST",
      headers: { Authorization: `Bearer ${kiosk.text}`, "Content-Type": "text/csv" },
      body: "Name,Email\nAna,ana@example.org\n",
    }),
    201,
  );
  const rows = ["successful.csv", "unprocessed.csv"].map((file) => ["GET", `imports/${id}/${file}`] as const);
  for (const [method, path] of [...rows, ["POST", `exports/${await exported(usual)}/cancel`] as const]) {
    const { status, code } = await refusalOf(await kiosk.send(method, `/api/v1/${path}`));
    assert.deepEqual([status, code], [403, "export_withheld"], path);
    assert.notEqual((await usual.send(method, `/api/v1/${path}`)).status, 403, path);
  }
  assert.equal((await kiosk.send("GET", `/api/v1/imports/${id}/errors.csv`)).status, 200);
  assert.equal((await kiosk.send("GET", `/api/v1/imports/${id}/kept`)).status, 200);
});

test("a project withholds export from its viewers in the panel and in their assistants, and from nobody else", async () => {
  await using the = await world();
  const { id: project } = the.project;
  const people = { viewer: await the.newPerson("Vi"), editor: await the.newPerson("Ed") };
  for (const role of ["viewer", "editor"] as const) await the.join(people[role], project, role);
  const changed = await leadgate(the, ["project", "change", "--project", project, "--viewers-export", "no"]);
  assert.equal(changed.code, 0, changed.err);
  const id = await exported(await the.key(["leads:read"]));
  for (const role of ["viewer", "editor"] as const) {
    const browser = await the.signedIn(people[role]);
    const { projects } = (await (await browser.get("/panel/api/me")).json()) as {
      projects: { mayExport: boolean }[];
    };
    assert.equal(projects[0]?.mayExport, role === "editor");
    const { access } = await (await Application.register(the)).tokens(browser);
    const assistant = new Assistant(the, access);
    const ask = async (method: string, params: Record<string, unknown>) =>
      await (await assistant.ask(method, params)).text();
    const read = await ask("tools/call", { name: "query_leads", arguments: {} });
    assert.doesNotMatch(read, /"isError":true/);
    const made = await ask("tools/call", { name: "export_leads", arguments: {} });
    const uri = `leads://exports/${id}`;
    const part = await (await assistant.ask("resources/read", { uri }, { "Mcp-Name": uri })).text();
    const refused = /does not let its viewers export/;
    if (role === "editor") for (const text of [made, part]) assert.doesNotMatch(text, refused);
    else for (const text of [made, part]) assert.match(text, refused);
    const started = await startInPanel(the, browser);
    assert.equal(started.status, role === "editor" ? 202 : 403, await started.text());
  }
});
