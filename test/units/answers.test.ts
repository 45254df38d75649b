import assert from "node:assert/strict";
import { test } from "node:test";
import { checkerOf } from "../answers/check.ts";
import { checkedFetch } from "../answers/checked-fetch.ts";
import type { Document } from "../answers/documented.ts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });

/** Made up: one lead, as it is when created and when it is read. */
const DOCUMENT: Document = {
  paths: {
    "/api/v1/leads/{id}": {
      get: {
        responses: {
          200: {
            headers: { ETag: { required: true, schema: { type: "string", pattern: '^"\\d+"$' } } },
            ...json({ $ref: "#/components/schemas/Lead" }),
          },
          404: { $ref: "#/components/responses/Problem" },
        },
      },
      delete: { responses: { 204: { description: "It was deleted." } } },
    },
    "/api/v1/leads/fields": {
      get: { responses: { 200: json({ type: "array", items: { type: "string" } }) } },
    },
    "/api/v1/leads/{id}/story": {
      get: {
        responses: {
          200: json({
            allOf: [
              { $ref: "#/components/schemas/Lead" },
              { type: "object", required: ["events"], properties: { events: { type: "integer" } } },
            ],
          }),
        },
      },
    },
    "/api/leads/export/": {
      post: {
        responses: {
          200: {
            content: {
              "text/csv; charset=utf-8": { schema: { type: "string" } },
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Lead" } } },
            },
          },
          403: json({ $ref: "#/components/schemas/SimpleProblem" }),
        },
      },
    },
  },
  components: {
    schemas: {
      Lead: {
        type: "object",
        required: ["id", "value", "owner", "created_at"],
        properties: {
          id: { type: "string" },
          value: { type: ["number", "null"] },
          owner: { anyOf: [{ $ref: "#/components/schemas/Owner" }, { type: "null" }] },
          created_at: { type: "string", format: "date-time" },
          custom: { type: "object", additionalProperties: true },
        },
      },
      Owner: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      Problem: { type: "object", required: ["error"], properties: { error: { type: "string" } } },
      SimpleProblem: { type: "object", required: ["detail"], properties: { detail: { type: "string" } } },
    },
    responses: { Problem: json({ $ref: "#/components/schemas/Problem" }) },
  },
};

const LEAD = {
  id: "lead_1",
  value: 12.5,
  owner: { name: "Ada" },
  created_at: "2026-01-31T08:00:00.25+00:00",
  custom: { anything: [1] },
};

const checker = checkerOf({ api: DOCUMENT });

interface Sent {
  method?: string;
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Returns what the checker says about an answer; by default, about the true answer with the lead. */
function liesOf({ method = "GET", path = "/api/v1/leads/lead_1", status = 200, ...sent }: Sent): string[] {
  const headers = new Headers(
    sent.headers ?? { "Content-Type": "application/json; charset=utf-8", ETag: '"3"' },
  );
  const body = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body ?? LEAD);
  return (checker.check({ method, path, status, headers, body })?.lies ?? []).map(({ what }) => what);
}

const JSON_TYPE = { "Content-Type": "application/json" };

test("a true answer passes", () => {
  assert.deepEqual(liesOf({}), []);
  assert.deepEqual(liesOf({ body: { ...LEAD, owner: null, value: null } }), []);
  assert.deepEqual(liesOf({ status: 404, headers: JSON_TYPE, body: { error: "not found" } }), []);
  assert.deepEqual(liesOf({ method: "DELETE", status: 204, headers: {}, body: "" }), []);
  assert.deepEqual(liesOf({ path: "/api/v1/leads/fields", headers: JSON_TYPE, body: ["name"] }), []);
  assert.deepEqual(
    liesOf({ path: "/api/v1/leads/lead_1/story", headers: JSON_TYPE, body: { ...LEAD, events: 3 } }),
    [],
  );
});

test("a wrong type, a missing member and a wrong timestamp are found, with their place", () => {
  assert.deepEqual(liesOf({ body: { ...LEAD, value: "12.5" } }), ["/value must be number,null"]);
  const { value: _, ...less } = LEAD;
  assert.deepEqual(liesOf({ body: less }), ["must have required property 'value'"]);
  for (const created_at of ["2026-01-31T08:00:00Z", "2026-01-31T05:00:00-03:00", "2026-01-31"])
    assert.deepEqual(liesOf({ body: { ...LEAD, created_at } }), [
      '/created_at must match format "date-time"',
    ]);
});

test("a member that is not described is found, in nested and combined objects too", () => {
  assert.deepEqual(liesOf({ body: { ...LEAD, secret: 1 } }), [
    'must NOT have unevaluated properties: "secret"',
  ]);
  assert.match(liesOf({ body: { ...LEAD, owner: { name: "Ada", secret: 1 } } }).join(), /owner .*"secret"/);
  const story = { ...LEAD, events: 3 };
  const path = "/api/v1/leads/lead_1/story";
  assert.match(liesOf({ path, headers: JSON_TYPE, body: { ...story, secret: 1 } }).join(), /"secret"/);
  const owner = { name: "Ada", secret: 1 };
  assert.match(liesOf({ path, headers: JSON_TYPE, body: { ...story, owner } }).join(), /owner .*"secret"/);
});

test("a status, a media type, a body or a header that is not described is found", () => {
  assert.deepEqual(liesOf({ status: 418 }), ["is not a described status, described are 200, 404"]);
  assert.deepEqual(liesOf({ headers: { "Content-Type": "text/html", ETag: '"3"' } }), [
    "has the media type text/html, described are application/json",
  ]);
  assert.deepEqual(liesOf({ headers: { ETag: '"3"' } }), [
    "has no media type, described are application/json",
  ]);
  assert.deepEqual(liesOf({ method: "DELETE", status: 204, headers: {}, body: "{}" }), [
    "has a body, none is described",
  ]);
  assert.deepEqual(liesOf({ headers: JSON_TYPE }), ["lacks the header etag"]);
  assert.deepEqual(liesOf({ headers: { ...JSON_TYPE, ETag: "3" } }), [
    'has a header etag that must match pattern "^"\\d+"$"',
  ]);
  assert.deepEqual(liesOf({ headers: { ...JSON_TYPE, ETag: '"3"', "Retry-After": "3" } }), [
    "has the header retry-after, which is not described",
  ]);
  assert.deepEqual(liesOf({ body: "{" }), ["is not JSON"]);
});

test("both spellings of an address and the panel's calls are the same route", () => {
  const refused = { method: "POST", status: 403, headers: JSON_TYPE };
  for (const path of ["/api/leads/export/", "/api/leads/export"]) {
    assert.deepEqual(liesOf({ ...refused, path, body: { detail: "No." } }), []);
    assert.match(liesOf({ ...refused, path, body: { error: "No." } }).join(), /'detail'/);
  }
  const path = "/panel/api/prj_1/leads/export";
  assert.deepEqual(liesOf({ ...refused, path, body: { error: "No." } }), []);
  assert.match(liesOf({ ...refused, path, body: { detail: "No." } }).join(), /'error'/);
  assert.match(liesOf({ path: "/panel/api/prj_1/v1/leads/lead_1", body: {} }).join(), /'value'/);
});

test("an unknown address and a wrong method are refused in the words of their surface", () => {
  for (const [method, path] of [
    ["GET", "/api/v1/nothing"],
    ["PUT", "/api/v1/leads/fields"],
  ] as const) {
    assert.deepEqual(liesOf({ method, path, status: 404, body: { error: "Nothing here." } }), []);
    assert.match(liesOf({ method, path, status: 404, body: { detail: "No." } }).join(), /'error'/);
    assert.match(liesOf({ method, path, status: 200 }).join(), /unknown address/);
  }
  assert.equal(checker.describes("GET", "/sign-in"), false);
});

/** Returns fetch with the check, which receives these answers, and what it reported. */
function fetching(answer: () => Response) {
  const found: string[] = [];
  const send = checkedFetch(
    async () => answer(),
    async () => checker,
    (_, { lies }) => found.push(...lies.map(({ what }) => what)),
  );
  return { send, found };
}

test("fetch checks what it returns, and the test still reads all of it", async () => {
  const body = JSON.stringify({ ...LEAD, value: "12.5" });
  const headers = { ...JSON_TYPE, ETag: '"3"', "Content-Length": String(body.length) };
  const { send, found } = fetching(() => new Response(body, { headers }));
  const response = await send("http://localhost:4000/api/v1/leads/lead_1");
  assert.deepEqual(found, ["/value must be number,null"]);
  assert.equal(await response.text(), body);
  await send("https://example.org/api/v1/leads/lead_1");
  assert.equal(found.length, 1);
});

test("a stream's head is checked at once, its JSON when the test reads it as a whole", async () => {
  const body = JSON.stringify([LEAD, { ...LEAD, value: "12.5" }]);
  const headers = { ...JSON_TYPE, ETag: '"3"' };
  const { send, found } = fetching(() => new Response(new Blob([body]).stream(), { headers }));
  for (const read of ["text", "json"] as const) {
    const response = await send("http://localhost:4000/api/leads/export", { method: "POST" });
    assert.deepEqual(found.splice(0), ["has the header etag, which is not described"]);
    assert.deepEqual(await response[read](), read === "text" ? body : JSON.parse(body));
    assert.ok(found.splice(0).includes("/1/value must be number,null"));
  }
});
