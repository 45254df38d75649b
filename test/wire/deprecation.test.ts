import assert from "node:assert/strict";
import { test } from "node:test";
import { methodsOf } from "../../clients/typescript/build/methods.ts";
import { type OpenApiDocument, operationsOf } from "../../clients/typescript/build/operations.ts";
import { typesOf } from "../../clients/typescript/build/types.ts";
import { API, WEB } from "../../src/contract/all.ts";
import { endpoint } from "../../src/contract/basics/endpoint.ts";
import { listMembers } from "../../src/contract/members.ts";
import { nameMembers } from "../../src/domain/projects/members/name-members.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { apiKey } from "../../src/http/request/api-key.ts";
import { ok } from "../../src/http/response/reply.ts";
import { operationRoute, type Route } from "../../src/http/route/route.ts";
import { Admission, apiApp } from "../../src/server/app.ts";
import { queryOf } from "../../src/surfaces/api/shared/input.ts";
import { v1 } from "../../src/surfaces/api/v1/surface.ts";
import { checkerOf } from "../answers/check.ts";
import type { Document } from "../answers/documented.ts";
import { world } from "../world.ts";

const URL_OF = "/api/v1/retired-members";
const retired = endpoint({
  ...listMembers,
  id: "members.retired",
  url: URL_OF,
  deprecated: { since: "2026-12-01", sunset: "2028-01-31", instead: "GET /api/v1/members" },
});
const route = operationRoute({
  endpoint: retired,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, retired),
  operation: nameMembers,
  reply: (members) => ok({ members, next_cursor: null }),
});
const document = openApiDocument([listMembers, retired], {
  ...{ title: "Test", description: "Test.", url: "http://localhost", tags: [] },
});
const HEADERS = {
  deprecation: "@1796083200",
  sunset: "Mon, 31 Jan 2028 00:00:00 GMT",
  link: '</reference>; rel="deprecation"; type="text/html"',
};

test("every answer of a deprecated endpoint says so, refusals too, and those of other endpoints do not", async () => {
  await using the = await world({ env: { LIMITS: '{"api":{"perHour":1,"burst":6}}' } });
  const key = await the.key(["leads:read"]);
  const weak = await the.key(["datasets:read"]);
  // Nothing of the service is deprecated, so its own listener gets one more route.
  const routes = v1.routes as Route[];
  routes.push(route);
  const serve = async (admission?: Admission) => await apiApp(the.service, the.config, admission);
  const narrow = { inFlight: 1, perOwner: 1, waiting: 0, waitMs: 1, loopDelayMs: 60_000 };
  const apps = await Promise.all([serve(), serve(new Admission(narrow))]).finally(() => routes.pop());
  const [app, full] = apps;
  const check = checkerOf({ api: document as unknown as Document });
  const ask = async (path: string, authorization: string, more: Record<string, string> = {}, on = app) => {
    const { statusCode, headers, body } = await on.inject({
      url: path,
      headers: { authorization, ...more },
    });
    const sent = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const checked = check.check({ method: "GET", path, status: statusCode, headers: sent, body });
    assert.deepEqual(checked?.lies, [], `${path} ${statusCode}`);
    const { deprecation, sunset, link } = headers;
    return { status: statusCode, body, tag: headers.etag ?? "", named: { deprecation, sunset, link } };
  };
  try {
    const bearer = `Bearer ${key.text}`;
    const first = await ask(URL_OF, bearer);
    const answers = [
      first,
      await ask(URL_OF, bearer, { "if-none-match": first.tag }),
      await ask(`${URL_OF}?nonsense=1`, bearer),
      await ask(URL_OF, "Bearer lgk_none"),
      await ask(URL_OF, `Bearer ${weak.text}`),
      ...(await Promise.all([0, 1, 2].map(() => ask(URL_OF, bearer, {}, full)))),
    ];
    for (const { status, named } of answers) assert.deepEqual(named, HEADERS, String(status));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses.slice(0, 5), [200, 304, 400, 401, 403]);
    assert.ok(
      answers.slice(5).some(({ body }) => /overloaded|too_many_at_once/.test(body)),
      "an overloaded process refused one",
    );
    let last = await ask(URL_OF, bearer);
    for (let i = 0; i < 6 && last.status !== 429; i += 1) last = await ask(URL_OF, bearer);
    assert.deepEqual([last.status, last.named], [429, HEADERS]);
    const other = await ask("/api/v1/members", `Bearer ${weak.text}`);
    assert.deepEqual(other.named, { deprecation: undefined, sunset: undefined, link: undefined });
  } finally {
    await Promise.all(apps.map((each) => each.close()));
  }
});

test("a deprecated endpoint is marked in the OpenAPI document, in its types and in the client", async () => {
  const described = document as unknown as OpenApiDocument;
  const note =
    "Deprecated since 2026-12-01: use GET /api/v1/members instead. It will be removed after 2028-01-31.";
  const { get: old } = described.paths[URL_OF] ?? {};
  const { get: current } = described.paths["/api/v1/members"] ?? {};
  assert.deepEqual([old?.deprecated, old?.description?.endsWith(note)], [true, true]);
  assert.deepEqual([current?.deprecated, current?.description?.includes("Deprecated")], [undefined, false]);
  const types = await typesOf(document);
  assert.ok(types.includes(note));
  assert.equal(types.match(/@deprecated/g)?.length, 1);
  const methods = methodsOf(operationsOf(described));
  assert.equal(methods.match(/@deprecated/g)?.length, 1);
  assert.ok(methods.includes(note));
});

test("a deprecated endpoint stays for a year at least, and none is from the contract that never changes", () => {
  for (const { id, refusals, deprecated } of [...API, ...WEB, retired]) {
    if (deprecated === undefined) continue;
    const [since, sunset] = [new Date(deprecated.since), new Date(deprecated.sunset)];
    since.setUTCFullYear(since.getUTCFullYear() + 1);
    assert.ok(sunset >= since, `${id}: a year`);
    assert.equal(refusals, "v1", `${id}: endpoints without a version and those of OAuth stay`);
    const [method, url] = deprecated.instead.split(" ");
    assert.ok(
      API.some((other) => other.method === method && other.url === url && other.deprecated === undefined),
      `${id}: ${deprecated.instead} is an endpoint that stays`,
    );
  }
});
