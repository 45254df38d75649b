import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../world.ts";
import { bodyOf } from "./support/v1.ts";
import { refusalOf, writer } from "./support/writing.ts";

interface View {
  id: string;
  name: string;
  query: object;
  version: number;
  created_by: object;
}

const WON = { field: "status", op: "eq", value: "won" };

const create = async (key: KeyActor, name: string, query: object) =>
  bodyOf<View>(await key.send("POST", "/api/v1/views", { name, query }), 201);

test("a view is saved as it was asked, read, changed and deleted, and filters can name it", async () => {
  await using the = await world();
  const key = await writer(the);
  const query = {
    filter: WON,
    search: "ana",
    sort: [{ field: "score", dir: "desc" }],
    fields: ["name"],
    timezone: "America/Sao_Paulo",
  };
  const made = await key.send("POST", "/api/v1/views", { name: " Won ", query });
  assert.equal(made.headers.get("etag"), '"1"');
  const location = made.headers.get("location");
  const view = await bodyOf<View>(made, 201);
  assert.equal(location, `/api/v1/views/${view.id}`);
  assert.deepEqual([view.name, view.query, view.version], ["Won", query, 1]);
  assert.deepEqual(view.created_by, { type: "key", id: key.id, label: "test" });
  assert.deepEqual(await bodyOf(await key.send("GET", `/api/v1/views/${view.id}`)), view);
  await key.send("POST", "/api/v1/leads", { name: "Ana", status: "won" });
  await key.send("POST", "/api/v1/leads", { name: "Bea", status: "won" });
  const found = await key.query({ filter: { view: view.id } });
  assert.equal(((await found.json()) as { leads: object[] }).leads.length, 1);
  const changed = await bodyOf<View>(await key.send("PATCH", `/api/v1/views/${view.id}`, { query: {} }));
  assert.deepEqual([changed.name, changed.query, changed.version], ["Won", {}, 2]);
  assert.equal((await key.send("DELETE", `/api/v1/views/${view.id}`)).status, 204);
  for (const method of ["GET", "DELETE"])
    assert.equal((await refusalOf(await key.send(method, `/api/v1/views/${view.id}`))).status, 404);
});

test("of two callers who change the same version of a view, one gets 412", async () => {
  await using the = await world();
  const key = await writer(the);
  const { id } = await create(key, "Won", { filter: WON });
  const write = (name: string) => key.send("PATCH", `/api/v1/views/${id}`, { version: 1, name });
  const answers = await Promise.all(["a", "b", "c"].map(write));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
  const stale = await fetch(`${the.baseUrl}/api/v1/views/${id}`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${key.text}`, "If-Match": '"1"' },
  });
  const { status, details } = await refusalOf(stale);
  assert.deepEqual([status, details[0]?.message], [412, "2"]);
});

test("an invalid view is not saved, and the error names the path", async () => {
  await using the = await world();
  const key = await writer(the);
  const wrong: [object, string][] = [
    [{ name: "x", query: { filter: { field: "nome", op: "eq", value: 1 } } }, "$.query.filter.field"],
    [{ name: "x", query: { filter: { and: [WON, { view: "view_0" }] } } }, "$.query.filter.and[1].view"],
    [{ name: "x", query: { sort: [{ field: "custom.none" }] } }, "$.query.sort[0].field"],
    [{ name: "x", query: { fields: ["none"] } }, "$.query.fields[0]"],
    [{ name: "x", query: { timezone: "../etc" } }, "$.query.timezone"],
    [{ name: "x", query: { filters: WON } }, "$.query.filters"],
    [{ name: "x", query: { limit: 5 } }, "$.query.limit"],
    [{ name: " ", query: {} }, "$.name"],
    [{ name: "a\0", query: {} }, "$.name"],
    [{ query: {} }, "$.name"],
    [{ name: "x" }, "$.query"],
  ];
  for (const [body, path] of wrong) {
    const said = await refusalOf(await key.send("POST", "/api/v1/views", body));
    assert.deepEqual([said.status, said.details[0]?.path], [400, path], JSON.stringify(body));
  }
  const reader = await the.key();
  assert.equal((await refusalOf(await reader.send("POST", "/api/v1/views", {}))).status, 403);
});

test("views never hold themselves, even when two of them are changed at once", async () => {
  await using the = await world();
  const key = await writer(the);
  const a = await create(key, "a", { filter: WON });
  const b = await create(key, "b", { filter: { view: a.id } });
  const close = (id: string, to: string) =>
    key.send("PATCH", `/api/v1/views/${id}`, { query: { filter: { not: { view: to } } } });
  for (const to of [a.id, b.id]) {
    const said = await refusalOf(await close(a.id, to));
    assert.deepEqual([said.status, said.code], [400, "view_in_itself"]);
  }
  for (let round = 0; round < 5; round += 1) {
    const [c, d] = [await create(key, "c", {}), await create(key, "d", {})];
    const answers = await Promise.all([close(c.id, d.id), close(d.id, c.id)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  }
});

test("a view that others refer to cannot be deleted, even in a race", async () => {
  await using the = await world();
  const key = await writer(the);
  const a = await create(key, "a", { filter: WON });
  const b = await create(key, "b", { filter: { or: [{ not: { view: a.id } }] } });
  const used = await refusalOf(await key.send("DELETE", `/api/v1/views/${a.id}`));
  assert.deepEqual([used.status, used.code, used.details[0]?.message], [409, "view_used", b.id]);
  for (let round = 0; round < 5; round += 1) {
    const c = await create(key, "c", {});
    const [deleted, made] = await Promise.all([
      key.send("DELETE", `/api/v1/views/${c.id}`),
      key.send("POST", "/api/v1/views", { name: "d", query: { filter: { view: c.id } } }),
    ]);
    assert.ok(
      (deleted.status === 204 && made.status === 400) || (deleted.status === 409 && made.status === 201),
      `${deleted.status} ${made.status}`,
    );
  }
});

test("the list of views is read by cursor, and contains only the project's", async () => {
  await using the = await world();
  const key = await writer(the);
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.unshift((await create(key, `v${i}`, {})).id);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { views: View[]; next_cursor: string | null } = await bodyOf(
      await key.send("GET", `/api/v1/views?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`),
    );
    seen.push(...page.views.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  assert.deepEqual(seen, ids);
  const foreign = await writer(the, (await the.newProject(the.person, "Other")).id);
  assert.deepEqual(await bodyOf(await foreign.send("GET", "/api/v1/views")), {
    views: [],
    next_cursor: null,
  });
  for (const id of [ids[0], "nonsense"]) {
    assert.equal((await refusalOf(await foreign.send("GET", `/api/v1/views/${id}`))).status, 404);
    assert.equal(
      (await refusalOf(await foreign.send("PATCH", `/api/v1/views/${id}`, { name: "x" }))).status,
      404,
    );
    assert.equal((await refusalOf(await foreign.send("DELETE", `/api/v1/views/${id}`))).status, 404);
  }
  assert.equal((await refusalOf(await key.send("GET", "/api/v1/views?cursor=x"))).code, "bad_cursor");
});
