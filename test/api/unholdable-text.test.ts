import assert from "node:assert/strict";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { CALLS, REFERENCES } from "./support/endpoint-calls.ts";
import { textOf } from "./support/text-of.ts";
import { filled, type Ids } from "./support/two-projects.ts";

/** Strings that PostgreSQL cannot store, or that are not valid Unicode; some look like an id. */
const TEXTS = ["\0", "view_\0", "\ud800", "a\0.b"];

const condition = { field: "name", op: "eq", value: "x" };

/** Bodies with more strings than the usual call of their endpoint. */
const RICH: [call: string, body: (ids: Ids) => object][] = [
  [
    "POST /api/leads/query/",
    (ids) => ({
      ...{ project_id: ids.project, search: "x", sort: [{ field: "name", dir: "asc" }], fields: ["name"] },
      ...{ include: ["datasets"], timezone: "UTC", total: "none", filter: condition },
    }),
  ],
  ...filtersOf("POST /api/v1/leads/search"),
  ...filtersOf("POST /api/v1/leads/filters/validate"),
  [
    "POST /api/v1/leads/search",
    () => ({ cursor: "x", search: "x", fields: ["name"], sort: [{ field: "id" }] }),
  ],
  [
    "POST /api/leads/export/",
    (ids) => ({ project_id: ids.project, format: "csv", columns: ["name"], delimiter: ";" }),
  ],
  ["POST /api/v1/exports", () => ({ format: "csv", columns: ["name"], delimiter: ";", search: "x" })],
  [
    "POST /api/v1/leads/aggregate",
    () => ({
      group_by: [{ field: "created_at", interval: "month" }],
      metrics: [{ op: "sum", field: "value" }],
    }),
  ],
  [
    "POST /api/v1/leads/response-times",
    () => ({ group_by: [{ field: "source" }], types: ["call.made"], filter: condition }),
  ],
  [
    "POST /api/v1/leads",
    ({ field, person }) => ({
      ...{ external_id: "x", email: "x@example.org", phone: "+5511912345678", emails: ["a@example.org"] },
      ...{ phones: ["+5511912345679"], tags: ["x"], status: "new", currency: "BRL", owner_id: person },
      ...{ website: "https://example.org", first_touch: "2026-01-01", custom: { [field]: "x" } },
    }),
  ],
  ["PUT /api/v1/leads/upsert", () => ({ match_on: ["email"], lead: { email: "x@example.org", name: "x" } })],
  ["POST /api/v1/leads/bulk", () => ({ op: "update", items: [{ id: "x", name: "x" }] })],
  ["POST /api/v1/leads/bulk", ({ lead }) => ({ op: "tag_add", items: [{ id: lead }], tags: ["x"] })],
  [
    "POST /api/v1/leads/bulk",
    () => ({ op: "set", filter: condition, expected_count: 0, set: { name: "x" } }),
  ],
  [
    "POST /api/v1/leads/bulk",
    () => ({ op: "upsert", match_on: ["email"], items: [{ email: "x@example.org" }] }),
  ],
  [
    "POST /api/v1/leads/{id}/events",
    () => ({
      ...{ type: "call.made", title: "x", source: "x", external_id: "x", occurred_at: "2026-01-01" },
      data: { a: { b: ["x", { c: "x" }] } },
    }),
  ],
  [
    "POST /api/v1/events/batch",
    ({ lead }) => ({
      events: [
        { type: "call.made", lead_id: lead, data: { a: "x" } },
        { type: "call.made", lead: { external_id: "x" } },
        { type: "call.made", lead: { email: "x@example.org" } },
      ],
    }),
  ],
  [
    "POST /api/v1/leads/{id}/merge",
    ({ other }) => ({ with: other, prefer: { name: "other", "custom.x": "other" } }),
  ],
  ["POST /api/v1/leads/{id}/merge", ({ other }) => ({ with: other, prefer: "other" })],
  [
    "POST /api/v1/fields",
    () => ({ key: "fresh", label: "Fresh", type: "enum", options: ["x"], description: "x" }),
  ],
  ["PATCH /api/v1/fields/{key}", () => ({ label: "x", description: "x", type: "enum", options: ["x"] })],
  ["PUT /api/v1/statuses", () => ({ statuses: ["one", "two"], map: { new: "one" } })],
  [
    "POST /api/v1/views",
    () => ({
      name: "x",
      query: { filter: condition, search: "x", fields: ["name"], sort: [{ field: "name" }], timezone: "UTC" },
    }),
  ],
  [
    "POST /api/v1/datasets",
    () => ({
      ...{ key: "fresh", name: "x", key_column: "a", lead_link: { column: "a", match: "email" } },
      columns: [{ key: "a", label: "x", type: "enum", options: ["x"] }],
    }),
  ],
  [
    "PATCH /api/v1/datasets/{id}",
    () => ({ name: "x", columns: [{ key: "domain", was: "domain", type: "text" }], drop: ["x"] }),
  ],
  [
    "POST /api/datasets/{id}/query/",
    () => ({ filter: { field: "domain", op: "eq", value: "x" }, search: "x", columns: ["domain"] }),
  ],
  ["POST /api/datasets/{id}/rows/", () => ({ mode: "upsert", rows: [{ domain: "x", _id: "x" }] })],
  ["DELETE /api/datasets/{id}/rows/", () => ({ keys: ["x"] })],
  [
    "DELETE /api/datasets/{id}/rows/",
    () => ({ filter: { field: "domain", op: "eq", value: "x" }, expected_count: 0 }),
  ],
  [
    "PUT /api/v1/imports/{id}/mapping",
    () => ({
      columns: { Name: { field: "name" }, Email: "email" },
      set: { source: "x" },
      match_on: ["email"],
      mode: "upsert",
    }),
  ],
  ["PUT /api/v1/imports/{id}/file", () => ({ encoding: "utf-8", delimiter: ";", sheet: "x", header: true })],
];

/** Returns every form of a filter, as bodies of one endpoint. */
function filtersOf(call: string): [string, (ids: Ids) => object][] {
  const wheres = [
    (ids: Ids) => ({ view: ids.view }),
    () => ({ and: [{ not: condition }, { or: [condition] }] }),
    () => ({ field: "email", op: "domain_in", value: ["x"] }),
    () => ({ field: "phone", op: "eq", value: "+5511912345678" }),
    () => ({ field: "tags", op: "has_any", value: ["x"] }),
    () => ({ field: "created_at", op: "between", value: ["2026-01-01", "2026-01-02"] }),
    () => ({ field: "created_at", op: "in_last", value: { n: 1, unit: "day" } }),
    ({ field }: Ids) => ({ field: `custom.${field}`, op: "in", value: ["x"] }),
    () => ({
      event: {
        ...{ type: ["call.made", "email.*"], pick: "any", count: { op: "gte", value: 1 } },
        where: { field: "data.a", op: "eq", value: "x" },
        occurred: { op: "after", value: "2026-01-01" },
      },
    }),
    () => ({ dataset: { key: "companies", where: { field: "domain", op: "eq", value: "x" } } }),
  ];
  return wheres.map((filter) => [call, (ids) => ({ filter: filter(ids) })]);
}

/** Yields the body with each of its strings and keys replaced in turn. */
function* spoiled(body: unknown, text: string): Generator<unknown> {
  if (typeof body === "string") yield text;
  if (typeof body !== "object" || body === null) return;
  for (const [key, value] of Object.entries(body)) {
    for (const inside of spoiled(value, text))
      yield Array.isArray(body) ? body.with(Number(key), inside) : { ...body, [key]: inside };
    if (Array.isArray(body)) continue;
    const { [key]: _, ...rest } = body as Record<string, unknown>;
    yield { ...rest, [text]: value };
  }
}

// Slow: it tries every string of every endpoint.
large(
  "NUL and lone surrogates in any string or key of any body, path or query are refused or accepted, never an internal error",
  async () => {
    await using the = await world();
    const { key, ids } = await filled(the, "elder");
    const failed: string[] = [];
    const told = async (method: string, path: string, body?: unknown) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await fetch(the.baseUrl + path, {
        method,
        headers: {
          Authorization: `Bearer ${key.text}`,
          ...(sent === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(sent === undefined ? {} : { body: sent }),
      });
      await textOf(answer);
      if (answer.status >= 500) failed.push(`${answer.status} ${method} ${path} ${sent ?? ""}`);
    };
    const bodies = [
      ...Object.entries(CALLS).flatMap(([name, { path, body }]) =>
        body === undefined ? [] : [{ method: name.split(" ", 1)[0] ?? "", path: path(ids), body: body(ids) }],
      ),
      ...Object.values(REFERENCES).flatMap(({ path, body }) =>
        body === undefined ? [] : [{ method: "POST", path: path(ids), body: body(ids) }],
      ),
      ...RICH.map(([name, body]) => {
        const call = CALLS[name];
        assert.ok(call !== undefined, name);
        return { method: name.split(" ", 1)[0] ?? "", path: call.path(ids), body: body(ids) };
      }),
    ];
    for (const { method, path, body } of bodies)
      for (const text of TEXTS) for (const one of spoiled(body, text)) await told(method, path, one);
    const inPaths = Object.fromEntries(Object.keys(ids).map((name) => [name, "x%00"])) as unknown as Ids;
    for (const [name, { path }] of Object.entries(CALLS)) {
      const [method = ""] = name.split(" ", 1);
      await told(method, path(inPaths), method === "GET" || method === "DELETE" ? undefined : {});
      for (const parameter of name.startsWith("GET") ? PARAMETERS : [])
        await told("GET", `${path(ids)}${path(ids).includes("?") ? "&" : "?"}${parameter}=x%00`);
    }
    assert.deepEqual(failed, []);
  },
);

const PARAMETERS =
  "cursor types from to order source actor field include dataset by deleted since limit offset state file_name".split(
    " ",
  );
