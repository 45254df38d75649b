import assert from "node:assert/strict";
import { test } from "node:test";
import { revokeKey } from "../../src/domain/api-keys/revoke-key.ts";
import { perform } from "../../src/domain/operation/operation.ts";
import { type KeyActor, world } from "../world.ts";
import { raw } from "./raw.ts";

const bearer = ({ text }: KeyActor) => ({ Authorization: `Bearer ${text}` });

test("a list that is asked for again with its ETag is 304 without a body until it changes, compressed or not", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write", "schema:write"]);
  const { id } = (await (await key.send("POST", "/api/v1/leads", { name: "Ana" })).json()) as { id: string };
  const paths = ["fields", "leads/fields", "statuses", "views", "members", "datasets", `leads/${id}/events`];
  const current = [`/api/leads/${id}/timeline/`, "/api/datasets/"].map(
    (path) => `${path}?project_id=${the.project.id}`,
  );
  const urls = [...paths.map((path) => `/api/v1/${path}`), ...current].map((path) => the.baseUrl + path);
  for (const url of [...urls, `${the.baseUrl}/openapi.json`]) {
    const first = await raw(url, bearer(key));
    assert.equal(first.status, 200, `${url} ${first.text}`);
    const tag = String(first.headers.etag);
    assert.match(tag, /^W\/"[\w-]{27}"$/, url);
    assert.equal(first.headers["cache-control"], "private, no-cache", url);
    for (const [method, given, encoding] of [
      ["GET", tag, "identity"],
      ["GET", `"other", ${tag}`, "gzip"],
      ["HEAD", tag.slice(2), "gzip"],
      ["GET", "*", "gzip"],
    ] as const) {
      const headers = { ...bearer(key), "If-None-Match": given, "Accept-Encoding": encoding };
      const again = await raw(url, headers, { method });
      assert.deepEqual([again.status, again.text], [304, ""], `${method} ${url} ${given}`);
      assert.equal(again.headers.etag, tag);
      assert.equal(again.headers["content-type"], undefined);
      assert.equal(again.headers["content-encoding"], undefined);
    }
    const other = await raw(url, { ...bearer(key), "If-None-Match": 'W/"other"' });
    assert.deepEqual([other.status, other.text], [200, first.text], url);
  }
  const url = `${the.baseUrl}/api/v1/leads/${id}/events`;
  const { headers } = await raw(url, bearer(key));
  await key.send("POST", `/api/v1/leads/${id}/events`, { type: "email.opened" });
  const changed = await raw(url, { ...bearer(key), "If-None-Match": String(headers.etag) });
  assert.equal(changed.status, 200);
  assert.match(changed.text, /email\.opened/);
});

test("a 304 counts against the limit, and a revoked key gets 401 with any ETag", async () => {
  await using the = await world({ env: { LIMITS: '{"api":{"perMinute":60,"burst":3}}' } });
  const key = await the.key();
  const url = `${the.baseUrl}/api/v1/statuses`;
  const first = await raw(url, bearer(key));
  const again = { ...bearer(key), "If-None-Match": String(first.headers.etag) };
  const second = await raw(url, again);
  assert.equal(second.status, 304);
  assert.match(String(second.headers.ratelimit), /r=1\b/);
  const manager = { personId: the.person.id, projectId: the.project.id };
  await perform(the.service, revokeKey, manager, { id: key.id });
  assert.equal((await raw(url, again)).status, 401);
  const limited = await the.key();
  const statuses: number[] = [];
  for (let i = 0; i < 5; i += 1)
    statuses.push((await raw(url, { ...bearer(limited), "If-None-Match": "*" })).status);
  assert.deepEqual(statuses, [304, 304, 304, 429, 429]);
});

test("a lead's ETag is its version, which If-Match takes, and is not 304: activity changes a lead but not its version", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = (await (await key.send("POST", "/api/v1/leads", { name: "Ana" })).json()) as { id: string };
  for (const path of [`/api/v1/leads/${id}`, `/api/leads/${id}/`]) {
    const before = await raw(the.baseUrl + path, bearer(key));
    assert.equal(before.headers.etag, '"1"');
    await key.send("POST", `/api/v1/leads/${id}/events`, { type: "email.opened" });
    const after = await raw(the.baseUrl + path, { ...bearer(key), "If-None-Match": '"1"' });
    assert.equal(after.status, 200);
    assert.equal(after.headers.etag, '"1"');
    assert.notEqual(after.text, before.text);
  }
  const patch = { method: "PATCH", body: { name: "Ana Souza" } };
  const url = `${the.baseUrl}/api/v1/leads/${id}`;
  const changed = await raw(url, { ...bearer(key), "If-Match": '"1"', "Accept-Encoding": "gzip" }, patch);
  assert.deepEqual([changed.status, changed.headers.etag], [200, '"2"']);
});

test("answers with a session are not kept: neither the panel's nor those of pages have an ETag", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const path of ["/panel/api/me", `/panel/api/${the.project.id}/v1/leads/fields`, "/account"]) {
    const answer = await raw(the.authUrl + path, { Cookie: cookie, "If-None-Match": "*" });
    assert.deepEqual(
      [answer.status, answer.headers.etag, answer.headers["cache-control"]],
      [200, undefined, "no-store"],
      path,
    );
  }
});
