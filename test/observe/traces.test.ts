import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { addTrigger } from "../citus/triggers.ts";
import { Application, REDIRECT } from "../oauth/support/application.ts";
import { documentHost, OWN_DOCUMENTS } from "../oauth/support/document-host.ts";
import { type World, world } from "../world.ts";
import { collector, everyTrace } from "./support/collector.ts";
import { type ReceivedSpan, skip } from "./support/decode-traces.ts";

const ID = /^[0-9a-f]{16}$/;

const rootOf = (spans: readonly ReceivedSpan[]): ReceivedSpan => {
  const root = spans.find(({ parentSpanId }) => parentSpanId === "");
  assert.ok(root !== undefined);
  return root;
};

const isRequest = (name: string) => (span: ReceivedSpan) => span.name === name;

test("a request is exported with its door and its statements, whole", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: { ...everyTrace(to), OTEL_SERVICE_NAME: "leads of ours" } });
  const key = await the.key(["leads:read", "leads:write"]);
  const before = Date.now();
  const created = await key.send("POST", "/api/v1/leads", { name: "Ana" });
  const { id } = (await created.json()) as { id: string };
  await (await key.send("GET", `/api/v1/leads/${id}`)).text();
  const after = Date.now();
  const spans = await to.traceWith(isRequest("GET /api/v1/leads/:id"));
  const root = rootOf(spans);
  assert.equal(root.kind, 2);
  assert.equal(root.status, 0);
  const { "leadgate.request.id": requestId, "server.port": port, ...attributes } = root.attributes;
  assert.match(String(requestId), /^req_/);
  assert.equal(port, Number(new URL(the.baseUrl).port));
  assert.deepEqual(attributes, {
    "leadgate.project.id": the.project.id,
    "leadgate.credential.kind": "key",
    "leadgate.credential.id": key.id,
    "leadgate.operation": "leads.get",
    "http.request.method": "GET",
    "http.response.status_code": 200,
    "url.scheme": "http",
    "server.address": "localhost",
    "network.protocol.version": "1.1",
    "http.route": "/api/v1/leads/:id",
    "url.path": `/api/v1/leads/${id}`,
  });
  const door = spans.find(isRequest("door"));
  assert.equal(door?.kind, 1);
  const statements = spans.filter(({ kind }) => kind === 3);
  assert.ok(statements.length > 0);
  for (const statement of statements) {
    assert.equal(statement.attributes["db.system.name"], "postgresql");
    assert.match(String(statement.attributes["db.query.text"]), /\$1/);
    assert.ok(Number(statement.attributes["leadgate.db.wait_ms"]) >= 0);
    assert.equal(statement.name, statement.attributes["db.query.summary"]);
  }
  for (const span of spans) {
    assert.match(span.spanId, ID);
    assert.equal(span.traceId.length, 32);
    assert.ok(span.start >= before - 50 && span.start <= span.end && span.end <= after + 50);
    if (span !== root) assert.equal(span.parentSpanId, root.spanId);
    assert.equal(span.flags, 0x101);
  }
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  const [first] = to.traces();
  assert.equal(first?.resource["service.name"], "leads of ours");
  assert.match(String(first?.resource["service.version"]), /^\d+\.\d+\.\d+/);
  assert.equal(first?.scope.name, "leadgate");
  assert.equal(to.taken[0]?.path, "/v1/traces");
});

test("the statements of a transaction are within its span", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: everyTrace(to) });
  const key = await the.key(["leads:read", "leads:write"]);
  const batch = await key.send("POST", "/api/v1/leads/bulk", {
    action: "add_tags",
    tags: ["one"],
    lead_ids: [],
  });
  await batch.text();
  await the.signedIn();
  const spans = await to.traceWith(isRequest("transaction"));
  const transaction = spans.find(isRequest("transaction"));
  const within = spans.filter(({ parentSpanId }) => parentSpanId === transaction?.spanId);
  assert.ok(within.some(({ name }) => name === "COMMIT"));
});

test("a caller's traceparent is continued, with its tracestate", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: everyTrace(to) });
  const key = await the.key();
  const [traceId, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const headers = {
    Authorization: `Bearer ${key.text}`,
    traceparent: `00-${traceId}-${parent}-01`,
    tracestate: "other=abc, vendor@x=1",
  };
  await (await fetch(`${the.baseUrl}/api/v1/fields`, { headers })).text();
  const spans = await to.traceWith((span) => span.traceId === traceId);
  const root = spans.find(({ kind }) => kind === 2);
  assert.equal(root?.parentSpanId, parent);
  assert.equal(root?.traceState, "other=abc,vendor@x=1");
  assert.equal((root?.flags ?? 0) & 0x300, 0x300, "the parent is remote");
});

test("fetching the document of an application passes the trace on", { skip }, async () => {
  await using to = await collector();
  await using host = await documentHost();
  await using the = await world({ env: everyTrace(to), config: { documents: OWN_DOCUMENTS } });
  const browser = await the.signedIn();
  await browser.get(new Application(the, host.url(), REDIRECT).address());
  const sent = String(host.requests[0]?.headers.traceparent);
  const [, traceId, spanId, flags] = sent.split("-");
  const spans = await to.traceWith((span) => span.spanId === spanId);
  const call = spans.find((span) => span.spanId === spanId);
  assert.deepEqual([call?.traceId, call?.name, call?.kind, flags], [traceId, "GET", 3, "01"]);
  assert.equal(call?.attributes["server.address"], "localhost");
});

test("a job continues the trace of the request that queued it", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: everyTrace(to) });
  const key = await the.key();
  const queued = await key.send("POST", "/api/v1/exports", { format: "csv" });
  assert.equal(queued.status, 202, await queued.clone().text());
  const { id } = (await queued.json()) as { id: string };
  const spans = await to.traceWith(isRequest("job export"));
  const job = spans.find(isRequest("job export"));
  const request = spans.find(({ kind }) => kind === 2);
  assert.equal(job?.kind, 5);
  assert.equal(request?.name, "POST /api/v1/exports");
  assert.ok(job !== undefined && request !== undefined);
  assert.equal(job.attributes["leadgate.project.id"], the.project.id);
  assert.ok(String(job.attributes["leadgate.job.id"]).length > 10, id);
  const transaction = spans.find((span) => span.spanId === job.parentSpanId);
  assert.equal(transaction?.parentSpanId, request.spanId);
  assert.ok(spans.some((span) => span.parentSpanId === job.spanId && span.kind === 3));
});

test("neither secrets nor what people wrote is in the exported bytes", { skip }, async () => {
  const canary = "canary-9f3b";
  await using to = await collector();
  await using the = await world({
    env: { ...everyTrace(to), OTEL_EXPORTER_OTLP_HEADERS: `x-secret=${canary}-header` },
  });
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await key.send(method, path, body);
    await answer.text();
    return answer.status;
  };
  const field = { key: "canary_key", label: `${canary}-label`, type: "text" };
  assert.equal(await send("POST", "/api/v1/fields", field), 201);
  const lead = { name: `${canary}-name`, email: `${canary}@example.org`, custom: { canary_key: canary } };
  assert.equal(await send("POST", "/api/v1/leads", lead), 201);
  await send("POST", "/api/v1/leads", `{"name": ${canary}`);
  await send("GET", `/api/v1/leads/${canary}-path?q=${canary}-query`);
  await send("GET", `/${canary}-nowhere`);
  const filter = { field: "custom.canary_key", op: "eq", value: `${canary}-value` };
  assert.equal(await send("POST", "/api/v1/leads/search", { filter: { and: [filter] } }), 200);
  await key.query({ filters: [{ field: "name", operator: "contains", value: canary }] });
  const browser = await the.signedIn();
  await browser.get(`/reset/${canary}-link`);
  await fetch(`${the.baseUrl}/api/v1/fields`, {
    headers: { Authorization: `Bearer lgk_${canary}`, Cookie: canary },
  });
  await to.traceWith(isRequest("GET /api/v1/fields"));
  const all = Buffer.concat(to.taken.map(({ bytes }) => bytes)).toString("latin1");
  assert.ok(all.includes("leads.create"), "there is something to look at");
  for (const secret of [canary, key.text, the.person.password, the.person.email])
    assert.equal(all.includes(secret), false, secret);
  assert.equal(to.taken[0]?.headers["x-secret"], `${canary}-header`);
});

/** How many spans came of requests, after some time in which others could have come. */
async function requestsAfter(to: { spans(): ReceivedSpan[] }, ms = 400): Promise<ReceivedSpan[]> {
  await sleep(ms);
  return to.spans().filter(({ kind }) => kind === 2);
}

const never = (url: string) => ({ ...everyTrace({ url }), OTEL_TRACES_SAMPLER: "always_off" });

async function slowLock(the: World, ms: number): Promise<string> {
  const key = await the.key(["leads:read", "leads:write"]);
  const created = await key.send("POST", "/api/v1/leads", { name: "Ana" });
  const { id } = (await created.json()) as { id: string };
  await addTrigger(
    the,
    "late",
    "BEFORE UPDATE ON store.lead FOR EACH ROW",
    `PERFORM pg_sleep(${ms / 1_000}); RETURN NEW;`,
  );
  await (await key.send("PATCH", `/api/v1/leads/${id}`, { name: "Bia" })).text();
  return id;
}

test("what was slow is exported whatever the sampler says, and nothing else", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: { ...never(to.url), TRACES: '{"slowMs": 300}' } });
  await slowLock(the, 400);
  const spans = await to.traceWith(({ kind }) => kind === 2);
  assert.equal(rootOf(spans).name, "PATCH /api/v1/leads/:id");
  assert.ok(spans.some(({ start, end, kind }) => kind === 3 && end - start >= 390));
  assert.deepEqual(
    (await requestsAfter(to)).map(({ name }) => name),
    ["PATCH /api/v1/leads/:id"],
  );
});

test("what failed is exported whatever the sampler says, with the class of its error", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: { ...never(to.url), TIME_LIMITS: '{"query": 1, "fast": 0}' } });
  const key = await the.key();
  // One PostgreSQL reads the view, a cluster the table.
  await the.sql("ALTER VIEW leadgate.lead RENAME TO hidden");
  await the.sql("ALTER TABLE store.lead RENAME TO hidden");
  const failed = await key.send("GET", "/api/v1/leads/lead_00000000000000000000000000");
  assert.ok(failed.status >= 500, String(failed.status));
  const spans = await to.traceWith(({ kind }) => kind === 2);
  const root = rootOf(spans);
  assert.deepEqual([root.status, root.attributes["error.type"]], [2, String(failed.status)]);
  assert.ok(spans.some(({ kind, attributes }) => kind === 3 && attributes["error.type"] === "42P01"));
});

test("a stranger's sampled flag samples nothing; an admitted caller's does, ten times a second", {
  skip,
}, async () => {
  await using to = await collector();
  await using the = await world({
    env: {
      ...everyTrace(to),
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0",
    },
  });
  const key = await the.key();
  const call = async (text: string, flags = "01") => {
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
    const headers = { Authorization: `Bearer ${text}`, traceparent: `00-${id}-00f067aa0ba902b7-${flags}` };
    await (await fetch(`${the.baseUrl}/api/v1/fields`, { headers })).text();
  };
  for (let i = 0; i < 5; i += 1) await call(`lgk_${"0".repeat(40)}`);
  await call(key.text, "00");
  assert.deepEqual(await requestsAfter(to), []);
  for (let i = 0; i < 60; i += 1) await call(key.text);
  const { length } = await requestsAfter(to);
  assert.ok(length >= 10 && length < 60, String(length));
});
