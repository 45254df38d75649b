import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../world.ts";
import { addLeads, problemOf } from "./support/leads.ts";

const leaf = { field: "name", op: "eq", value: "x" };
const nested = (depth: number): object => (depth === 0 ? leaf : { and: [nested(depth - 1)] });

/** Filters that are wrong: what they are, the code, and how the detail begins. */
const WRONG: [unknown, string, string][] = [
  [{ field: "nome", op: "eq", value: "x" }, "unknown_field", "$.filter.field"],
  [{ field: "custom.none", op: "eq", value: "x" }, "unknown_field", "$.filter.field"],
  [{ field: "search_text", op: "contains", value: "x" }, "unknown_field", "$.filter.field"],
  [{ field: "name", op: "like", value: "x" }, "unknown_operator", "$.filter.op"],
  [{ field: "name", op: "constructor", value: "x" }, "unknown_operator", "$.filter.op"],
  [{ and: [leaf, { field: "score", op: "gte", value: "10" }] }, "type", "$.filter.and[1].value"],
  [{ or: [{ not: { field: "score", op: "in", value: [1, null] } }] }, "type", "$.filter.or[0].not.value[1]"],
  [{ field: "do_not_contact", op: "eq", value: "true" }, "type", "$.filter.value"],
  [{ field: "name", op: "eq" }, "required", "$.filter.value"],
  [{ field: "name", op: "is_empty", value: 1 }, "unexpected_value", "$.filter.value"],
  [{ field: "name", op: "eq", value: "a\0b" }, "nul", "$.filter.value"],
  [{ field: "tags", op: "has_any", value: ["ok", "\ud800"] }, "lone_surrogate", "$.filter.value[1]"],
  [{ ...leaf, extra: 1 }, "unknown_key", "$.filter.extra"],
  [{ and: [], or: [] }, "unknown_form", "$.filter"],
  [{ view: "view_1" }, "unknown_view", "$.filter.view"],
  [{ not: { view: "view_\0" } }, "unknown_view", "$.filter.not.view"],
  [{ and: leaf }, "type", "$.filter.and"],
  [{}, "unknown_form", "$.filter"],
  [[leaf], "unknown_form", "$.filter"],
  [null, "unknown_form", "$.filter"],
  ["name", "unknown_form", "$.filter"],
  [nested(9), "too_deep", "$.filter"],
  [{ or: Array(101).fill(leaf) }, "too_many_conditions", "$.filter"],
  [{ field: "score", op: "in", value: Array(1_001).fill(1) }, "too_many_values", "$.filter.value"],
  ...[
    "infinity",
    "now",
    "2026-02-30",
    "0044-03-15 BC",
    "2026-01-01T00:00:00",
    "2026-01-01T25:00:00Z",
    "2026-1-1",
    5,
  ].map((value): [unknown, string, string] => [
    { field: "created_at", op: "before", value },
    "bad_date",
    "$.filter.value",
  ]),
  [{ field: "created_at", op: "in_last", value: { n: 0, unit: "day" } }, "range", "$.filter.value.n"],
  [{ field: "created_at", op: "in_last", value: { n: 1e9, unit: "year" } }, "range", "$.filter.value.n"],
  [
    { field: "created_at", op: "in_last", value: { n: 1, unit: "eon" } },
    "unknown_unit",
    "$.filter.value.unit",
  ],
  [{ field: "created_at", op: "in_period", value: "last_decade" }, "unknown_period", "$.filter.value"],
];

/** Bodies that are wrong beside their filter. */
const BODIES: [object, string][] = [
  [{ filters: {} }, "$.filters"],
  [{ limit: 501 }, "$.limit"],
  [{ limit: 0 }, "$.limit"],
  [{ limit: "5" }, "$.limit"],
  [{ limit: 1.5 }, "$.limit"],
  [{ offset: -1 }, "$.offset"],
  [{ sort: [{ field: "none" }] }, "$.sort[0].field"],
  [{ sort: [{ field: "tags" }] }, "$.sort[0].field"],
  [{ sort: [{ field: "name", dir: "up" }] }, "$.sort[0].dir"],
  [{ sort: Array(4).fill({ field: "name" }) }, "$.sort"],
  [{ fields: ["name", "none"] }, "$.fields[1]"],
  [{ include: ["events"] }, "$.include"],
  [{ timezone: "Mars/Olympus" }, "$.timezone"],
  [{ timezone: "+03:00" }, "$.timezone"],
  [{ total: "all" }, "$.total"],
  [{ search: "a\0" }, "$.search"],
  [{ search: "a b c d e f g h i j k" }, "$.search"],
];

test("a wrong filter is 400 and its path is told", async () => {
  await using the = await world();
  const key = await the.key();
  for (const [filter, code, path] of WRONG) {
    const response = await key.query({ filter });
    const problem = await problemOf(response);
    assert.deepEqual([response.status, problem.code], [400, code], JSON.stringify(filter));
    assert.ok(problem.detail.startsWith(path), problem.detail);
  }
  assert.equal((await key.query({ filter: nested(8) })).status, 200);
  assert.equal((await key.query({ filter: { or: Array(100).fill(leaf) } })).status, 200);
});

test("times at the edges of the calendar are answered or refused, whatever asks for them", async () => {
  await using the = await world();
  const key = await the.key();
  const [lead] = await addLeads(the, [{ name: "Ana" }]);
  const edges = ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "9998-12-31", "0001-01-01"];
  for (const [i, value] of edges.entries()) {
    const status = i === 0 ? 400 : 200;
    for (const op of ["eq", "before", "after", "on_or_before", "on_or_after"])
      assert.equal((await key.query({ filter: { field: "created_at", op, value } })).status, status, op);
    for (const side of ["from", "to"]) {
      const query = new URLSearchParams({ [side]: value });
      const timeline = await key.send("GET", `/api/v1/leads/${lead}/events?${query}`);
      assert.equal(timeline.status, status, `${side} ${value}`);
    }
  }
  for (const op of ["in_last", "not_in_last", "in_next", "older_than"]) {
    const asked = (n: number) =>
      key.query({ filter: { field: "created_at", op, value: { n, unit: "year" } } });
    assert.deepEqual([(await asked(100)).status, (await asked(99_999)).status], [200, 400], op);
  }
});

test("a key that is misspelt, out of range or of another type is 400, and never answers everything", async () => {
  await using the = await world();
  const key = await the.key();
  for (const [body, path] of BODIES) {
    const response = await key.query(body);
    const { detail } = await problemOf(response);
    assert.equal(response.status, 400, detail);
    assert.ok(detail.startsWith(path), `${detail} does not begin with ${path}`);
  }
});

test("what is no JSON, too deep, too large or of another type is refused in the same shape", async () => {
  await using the = await world();
  const key = await the.key();
  const sent = async (body: string, type = "application/json") => {
    const headers = { Authorization: `Bearer ${key.text}`, "Content-Type": type };
    const response = await fetch(`${the.baseUrl}/api/leads/query/`, { method: "POST", headers, body });
    return [response.status, (await problemOf(response)).code];
  };
  assert.deepEqual(await sent("{"), [400, "not_json"]);
  assert.deepEqual(await sent(""), [400, "not_json"]);
  assert.deepEqual(await sent("[]"), [400, "type"]);
  assert.deepEqual(await sent(`${"[".repeat(10_000)}${"]".repeat(10_000)}`), [400, "too_deep"]);
  assert.deepEqual(await sent("{}", "text/plain"), [415, "unsupported_media"]);
  assert.deepEqual(await sent(`"${"x".repeat(300_000)}"`), [413, "too_large"]);
  assert.deepEqual(await sent("{}"), [400, "required"]);
  const nowhere = await key.send("GET", "/api/nothing/here");
  assert.deepEqual([nowhere.status, (await problemOf(nowhere)).code], [404, "not_found"]);
});

test("another project's leads and the project itself look like ones that do not exist", async () => {
  await using the = await world();
  const other = await the.newProject(the.person, "Other");
  const [foreign] = await addLeads(the, [{ name: "Foreign" }], other.id);
  const key = await the.key();
  assert.equal((await key.send("GET", `/api/leads/${foreign}/`)).status, 404);
  const asked = async (projectId: unknown) => {
    const response = await key.send("POST", "/api/leads/query/", { project_id: projectId });
    return [response.status, await problemOf(response)];
  };
  assert.deepEqual(await asked(other.id), await asked("prj_none"));
  assert.equal((await asked(other.id))[0], 403);
  assert.equal((await asked(7))[0], 400);
  assert.equal(JSON.stringify(await (await key.query({})).json()).includes("Foreign"), false);
});

test("without a living key everything is 401, before anything else is looked at", async () => {
  await using the = await world();
  const key = await the.key();
  const revoked = await the.key();
  await the.sql("UPDATE store.api_key SET revoked_at = now() WHERE id = $1", [revoked.id]);
  const expired = await the.key();
  await the.sql("UPDATE store.api_key SET expires_at = now() WHERE id = $1", [expired.id]);
  const wrong = [
    undefined,
    "Basic abc",
    "Bearer x",
    `Bearer ${key.text.slice(0, -1)}x`,
    `Bearer ${revoked.text}`,
    `Bearer ${expired.text}`,
  ];
  for (const authorization of wrong) {
    for (const body of ["{", '{"project_id":"prj_other"}', `{"project_id":"${the.project.id}"}`]) {
      const headers = {
        "Content-Type": "application/json",
        ...(authorization === undefined ? {} : { authorization }),
      };
      const response = await fetch(`${the.baseUrl}/api/leads/query/`, { method: "POST", headers, body });
      assert.deepEqual(
        [response.status, response.headers.get("www-authenticate")],
        [401, "Bearer"],
        authorization,
      );
      assert.equal((await problemOf(response)).code, "invalid_key");
    }
  }
});

test("a key without leads:read reads nothing", async () => {
  await using the = await world();
  const [id] = await addLeads(the, [{ name: "Ana" }]);
  const key: KeyActor = await the.key(["leads:write", "datasets:read"]);
  for (const response of [await key.query({}), await key.send("GET", `/api/leads/${id}/`)]) {
    assert.deepEqual([response.status, (await problemOf(response)).code], [403, "missing_permission"]);
  }
});
