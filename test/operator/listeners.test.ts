import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { bodyOf } from "../api/support/v1.ts";
import { writer } from "../api/support/writing.ts";
import { large } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { world } from "../world.ts";
import { rawAnswer } from "./support/raw-answer.ts";

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

large("a process takes at most 16 connections for its calls, however many wait at once", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await bodyOf(await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" }), 201);
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE store.custom_field IN ACCESS EXCLUSIVE MODE");
  let refused = 0;
  const calls = Array.from({ length: 40 }, async (_, n) => {
    const { status } = await key.send("PATCH", "/api/v1/fields/plan", { label: `Plan ${n}` });
    if (status === 503 || status === 429) refused += 1;
    return status;
  });
  let held = 0;
  while (refused < calls.length - 16 && held < calls.length - 16) {
    held = await lockWaits(the);
    await sleep(20);
  }
  await holder.end();
  const served = (await Promise.all(calls)).filter((status) => status === 200).length;
  assert.ok(served > 0 && served <= 16, `${served} calls had a connection at once`);
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
  assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
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

test("what is no request is refused with an id to quote: no HTTP, headers too large, an address that cannot be read", async () => {
  await using the = await world();
  const key = await the.key();
  const told = async (text: string): Promise<[status: string, id: string, body: object]> => {
    const answer = await rawAnswer(the.baseUrl, text);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    return [head.slice(9, 12), /x-request-id: (\S+)/i.exec(head)?.[1] ?? "", JSON.parse(body) as object];
  };
  for (const [text, status, code] of [
    ["FOO / HTTP/1.1\r\n\r\n", "400", "malformed"],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, "431", "headers_too_large"],
  ] as const) {
    const [seen, id, body] = await told(text);
    assert.equal(seen, status);
    assert.match(id, /^req_[0-9a-z]{26}$/);
    const { error, request_id } = body as { error: { code: string }; request_id: string };
    assert.deepEqual([error.code, request_id], [code, id]);
  }
  for (const path of ["leads/%zz", `leads/${"a".repeat(201)}`, "fields/%E0%A4%A"]) {
    const answer = await key.send("GET", `/api/v1/${path}`);
    const body = (await answer.json()) as { error: { code: string }; request_id: string };
    assert.deepEqual([answer.status, body.error.code], [400, "malformed"], path);
    assert.equal(body.request_id, answer.headers.get("x-request-id"));
  }
});
