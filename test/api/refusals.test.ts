import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type KeyActor, world } from "../world.ts";
import { addLeads, problemOf } from "./support/leads.ts";
import { bodyOf, refusalOf } from "./support/v1.ts";

const leaf = { field: "name", op: "eq", value: "x" };
const nested = (depth: number): object => (depth === 0 ? leaf : { and: [nested(depth - 1)] });

/** Bodies with errors besides their filter. */
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

test("a wrong filter is 400 with its code and path, whatever finds it", async () => {
  await using the = await world();
  const key = await the.key();
  const wrong: [unknown, string, string][] = [
    [{ and: [leaf, { field: "score", op: "gte", value: "10" }] }, "type", "$.filter.and[1].value"],
    [{ field: "custom.none", op: "eq", value: "x" }, "unknown_field", "$.filter.field"],
    [{ not: { view: "view_\0" } }, "unknown_view", "$.filter.not.view"],
    [nested(9), "too_deep", "$.filter"],
  ];
  for (const [filter, code, path] of wrong) {
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
  const edges = ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "9999-12-31", "0001-01-01"];
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

test("a refusal says which limit was exceeded, and that a day does not exist", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "datasets:import", "datasets:write"]);
  const message = async (answer: Promise<Response>) => (await refusalOf(await answer)).message;
  const large = "x".repeat(5 * 1_048_576);
  const sent = (method: string, path: string, body: object) =>
    message(key.send(method, `/api/v1/${path}`, body));
  const file = (text: string, query = "") =>
    fetch(`${the.baseUrl}/api/v1/imports${query}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
      body: text,
    });
  assert.match(await sent("POST", "leads", { name: large }), /larger than 256 KB \(262144 bytes\)/);
  assert.match(
    await sent("POST", "leads/bulk", { op: "create", items: [{ name: large }] }),
    /larger than 4 MB/,
  );
  await (
    await key.send("POST", "/api/v1/datasets", { key: "cells", columns: [{ key: "a", type: "text" }] })
  ).text();
  for (const query of ["", "?dataset=cells"])
    assert.match(await message(file(`a,b\n${large},1\n`, query)), /line 2 has more than 1000000 characters/);
  const none = /is a day that does not exist: day 31 of month 2, 2026/;
  const filter = (value: string) => ({ filter: { field: "created_at", op: "before", value } });
  for (const day of ["2026-02-31", "2026-02-31T10:00:00Z"]) {
    assert.match(await sent("POST", "leads/count", filter(day)), none);
    assert.match(await sent("POST", "leads", { name: "Ana", first_touch: day }), none);
  }
  assert.match(await sent("POST", "leads/count", filter("9999-12-31T23:59:59-12:00")), /after the year 9999/);
  const { id } = await bodyOf<{ id: string }>(
    await file("Name,First touch\nAna,31/02/2026\nBo,28/02/2026\n"),
    201,
  );
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/commit`), 202);
  for (let state = ""; state !== "done"; await sleep(20))
    ({ state } = await bodyOf<{ state: string }>(await key.send("GET", `/api/v1/imports/${id}`)));
  assert.match(await (await key.send("GET", `/api/v1/imports/${id}/errors`)).text(), none);
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

test("a body that is not JSON, too deep, too large or of another type is refused in the same shape", async () => {
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
  for (const [opened, closed] of [
    ["[0,", ",0]"],
    ['[{"a":0,"b":', ',"c":0}]'],
  ] as const) {
    const levels = (opened.match(/[[{]/g) ?? []).length;
    const deep = (count: number) => `${opened.repeat(count / levels)}0${closed.repeat(count / levels)}`;
    assert.deepEqual(await sent(deep(64)), [400, "type"], "64 levels are read");
    assert.deepEqual(await sent(deep(66)), [400, "too_deep"]);
  }
  assert.deepEqual(await sent(`[${Array(100).fill('{"a":[]}').join(",")}]`), [400, "type"], "side by side");
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

test("without a valid key everything is 401, before anything else is checked", async () => {
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
