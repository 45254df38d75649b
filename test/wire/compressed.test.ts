import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { endedExport, startedExport } from "../api/support/exports.ts";
import { addLeads } from "../api/support/leads.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { Assistant } from "../mcp/support/assistant.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { type Raw, raw } from "./raw.ts";

const GZIP = { "Accept-Encoding": "gzip, deflate, br" };
const bearer = ({ text }: KeyActor) => ({ Authorization: `Bearer ${text}` });

const fill = (the: World, count: number) =>
  addLeads(
    the,
    Array.from({ length: count }, (_, i) => ({ name: `Ana Souza ${i}`, email: `ana${i}@example.org` })),
  );

/** Asserts that two answers to the same request are the same, the first compressed and the second not. */
function assertSame(compressed: Raw, plain: Raw, what: string): void {
  assert.deepEqual([compressed.status, plain.status], [200, 200], `${what}: ${plain.text.slice(0, 300)}`);
  assert.deepEqual(
    [compressed.headers["content-encoding"], plain.headers["content-encoding"]],
    ["gzip", undefined],
    what,
  );
  assert.equal(compressed.text, plain.text, what);
  assert.ok(compressed.bytes.length < plain.bytes.length / 2, what);
  for (const { headers, bytes } of [compressed, plain]) {
    assert.match(headers.vary ?? "", /\bAccept-Encoding\b/, what);
    const length = headers["content-length"];
    if (length !== undefined) assert.equal(length, String(bytes.length), what);
  }
}

test("JSON of every surface is compressed for clients that accept it, and otherwise as it always was", async () => {
  await using the = await world();
  await fill(the, 20);
  const key = await the.key();
  const assistant = await Assistant.authorized(the);
  const browser = await the.signedIn();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const me = await raw(`${the.authUrl}/panel/api/me`, { Cookie: cookie });
  const { token } = JSON.parse(me.text) as { token: string };
  const inPanel = { Cookie: cookie, "X-Leadgate-Token": token, Origin: the.authUrl };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/list", params: {} };
  const asked: Record<string, Parameters<typeof raw>> = {
    "current query": [
      `${the.baseUrl}/api/leads/query/`,
      bearer(key),
      { method: "POST", body: { project_id: the.project.id, limit: 20 } },
    ],
    "v1 search": [`${the.baseUrl}/api/v1/leads/search`, bearer(key), { method: "POST", body: {} }],
    "v1 fields": [`${the.baseUrl}/api/v1/leads/fields`, bearer(key)],
    panel: [`${the.authUrl}/panel/api/${the.project.id}/v1/leads/fields`, inPanel],
    MCP: [
      assistant.url,
      { Authorization: `Bearer ${assistant.token}`, Accept: "application/json, text/event-stream" },
      { method: "POST", body: call },
    ],
    "description of the API": [`${the.baseUrl}/openapi.json`, {}],
  };
  for (const [what, [url, headers, sent]] of Object.entries(asked)) {
    const compressed = await raw(url, { ...headers, ...GZIP }, sent);
    assertSame(compressed, await raw(url, headers, sent), what);
    assert.notEqual(compressed.headers["content-length"], undefined, what);
    const refusing = await raw(url, { ...headers, "Accept-Encoding": "gzip;q=0, br" }, sent);
    assert.equal(refusing.headers["content-encoding"], undefined, what);
  }
});

test("a short answer is not compressed, and HEAD has the headers of GET", async () => {
  await using the = await world();
  const key = await the.key();
  const headers = { ...bearer(key), ...GZIP };
  const short = await raw(`${the.baseUrl}/api/v1/statuses`, headers);
  assert.ok(short.bytes.length < 1_024);
  assert.equal(short.headers["content-encoding"], undefined);
  const url = `${the.baseUrl}/api/v1/leads/fields`;
  const [got, head] = [await raw(url, headers), await raw(url, headers, { method: "HEAD" })];
  assert.equal(head.bytes.length, 0);
  for (const name of ["content-encoding", "content-length", "content-type", "vary", "etag"])
    assert.deepEqual([name, head.headers[name]], [name, got.headers[name]]);
  assert.equal(got.headers["content-length"], String(got.bytes.length));
});

test("an export is compressed while it is streamed; a stored file keeps its length and bytes", async () => {
  await using the = await world();
  await fill(the, 3_000);
  const key = await the.key(["leads:read"]);
  for (const format of ["csv", "ndjson", "json"]) {
    const body = { project_id: the.project.id, format, columns: ["name", "email"] };
    const url = `${the.baseUrl}/api/leads/export/`;
    const answers = [
      await raw(url, { ...bearer(key), ...GZIP }, { method: "POST", body }),
      await raw(url, bearer(key), { method: "POST", body }),
    ] as const;
    assertSame(...answers, format);
  }
  const { id } = await endedExport(key, (await startedExport(key)).id);
  const url = `${the.baseUrl}/api/v1/exports/${id}/file`;
  const [compressed, plain] = [await raw(url, { ...bearer(key), ...GZIP }), await raw(url, bearer(key))];
  assert.deepEqual(compressed.bytes, plain.bytes);
  for (const { headers, bytes } of [compressed, plain]) {
    assert.equal(headers["content-encoding"], undefined);
    assert.equal(headers["content-length"], String(bytes.length));
  }
});

test("a file that fails before its first byte is a refusal that does not say that it is compressed", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = await uploaded(the, key, "name,email\nAna,ana@example.org\n");
  await acted(key, id, "commit");
  const url = `${the.baseUrl}/api/v1/imports/${id}/successful.csv`;
  assert.equal((await raw(url, { ...bearer(key), ...GZIP })).headers["content-encoding"], "gzip");
  await the.sql("ALTER VIEW leadgate.import_piece RENAME TO import_piece_away");
  await the.sql("ALTER TABLE store.import_piece RENAME TO import_piece_away");
  const answer = await raw(url, { ...bearer(key), ...GZIP });
  assert.ok(answer.status >= 500, answer.text);
  assert.equal(answer.headers["content-encoding"], undefined);
  assert.equal(typeof JSON.parse(answer.text), "object");
});

test("streams of events, pages with forms, answers with a secret, and OAuth are never compressed", async () => {
  await using the = await world();
  const key = await the.key();
  for (let i = 0; i < 20; i += 1) await the.newProject(the.person, `A project with quite a long name ${i}`);
  const browser = await the.signedIn();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const pages = ["/sign-in", "/account", "/panel/api/me", `/projects/${the.project.id}/leads`];
  for (const path of pages) {
    const { status, headers, bytes } = await raw(`${the.authUrl}${path}`, { Cookie: cookie, ...GZIP });
    if (status === 200) assert.ok(bytes.length > 1_024, path);
    assert.equal(headers["content-encoding"], undefined, path);
  }
  const token = await raw(
    `${the.authUrl}/api/oauth/token`,
    { "Content-Type": "application/x-www-form-urlencoded", ...GZIP },
    { method: "POST", body: "grant_type=refresh_token&refresh_token=x&client_id=x" },
  );
  assert.equal(token.headers["content-encoding"], undefined);
  const encoding = await new Promise((resolve, reject) => {
    const url = `${the.baseUrl}/api/v1/events/stream`;
    const asked = request(url, { headers: { ...bearer(key), ...GZIP } }, (answer) => {
      resolve([answer.headers["content-type"], answer.headers["content-encoding"]]);
      answer.destroy();
    });
    asked.once("error", reject).end();
  });
  assert.deepEqual(encoding, ["text/event-stream", undefined]);
  const head = await raw(
    `${the.baseUrl}/api/v1/events/stream`,
    { ...bearer(key), ...GZIP },
    { method: "HEAD" },
  );
  assert.deepEqual(
    [head.status, head.headers["content-type"], head.headers["content-encoding"]],
    [200, "text/event-stream", undefined],
  );
});
