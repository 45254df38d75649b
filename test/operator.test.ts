import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "./world.ts";

test("both listeners say that they live, are ready, and what they do", async () => {
  await using the = await world();
  for (const host of [the.authUrl, the.baseUrl]) {
    for (const path of ["/livez", "/readyz", "/metrics"]) {
      const answer = await fetch(host + path);
      assert.equal(answer.status, 200, host + path);
      assert.match(answer.headers.get("x-request-id") ?? "", /^req_[0-9a-z]{26}$/);
    }
  }
});

test("metrics are not shown through a proxy without the operator's token", async () => {
  await using the = await world({ env: { METRICS_TOKEN: "let me see" } });
  const proxied = { "X-Forwarded-For": "203.0.113.9" };
  assert.equal((await fetch(`${the.baseUrl}/metrics`, { headers: proxied })).status, 403);
  const withToken = { ...proxied, Authorization: "Bearer let me see" };
  assert.equal((await fetch(`${the.baseUrl}/metrics`, { headers: withToken })).status, 200);
});

test("OpenAPI 3.1 describes the endpoints, and a page shows it", async () => {
  await using the = await world();
  const document = (await (await fetch(`${the.baseUrl}/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, unknown>;
  };
  assert.equal(document.openapi, "3.1.0");
  assert.ok("/api/leads/query/" in document.paths);
  const page = await fetch(`${the.baseUrl}/reference/`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /html/);
});

test("an unknown address answers in the listener's own form", async () => {
  await using the = await world();
  for (const path of ["/api/nothing", "/reference/nothing"]) {
    const api = await fetch(`${the.baseUrl}${path}`);
    assert.equal(api.status, 404);
    assert.equal(typeof ((await api.json()) as { detail: string }).detail, "string");
  }
  const web = await fetch(`${the.authUrl}/nothing`);
  assert.equal(web.status, 404);
  assert.match(web.headers.get("content-type") ?? "", /text\/html/);
});
