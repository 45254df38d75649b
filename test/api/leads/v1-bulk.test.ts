import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../../world.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf, refusalOf, told, writer } from "../support/writing.ts";

interface Answer {
  matched?: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  results: {
    index: number;
    status: number;
    id: string | null;
    version: number | null;
    error: { code: string; details: { path: string }[] } | null;
  }[];
}

async function bulk(key: KeyActor, body: object): Promise<Answer> {
  const response = await key.send("POST", "/api/v1/leads/bulk", body);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Answer;
}

const refused = async (key: KeyActor, body: object) => {
  const { status, code, details } = await refusalOf(await key.send("POST", "/api/v1/leads/bulk", body));
  return [status, code, details[0]?.path];
};

test("each item of a bulk change has its own result in order, and an invalid one does not affect the others", async () => {
  await using the = await world();
  const key = await writer(the);
  const created = await bulk(key, {
    op: "create",
    items: [{ name: "A" }, { email: "no" }, { nome: "x" }, { name: "B" }, 7],
  });
  assert.deepEqual(
    created.results.map(({ index, status }) => [index, status]),
    [
      [0, 201],
      [1, 422],
      [2, 400],
      [3, 201],
      [4, 400],
    ],
  );
  assert.equal(created.results[1]?.error?.details[0]?.path, "$.items[1].email");
  assert.deepEqual([created.created, created.failed], [2, 3]);
  const [a, b] = [created.results[0]?.id, created.results[3]?.id];
  const updated = await bulk(key, {
    op: "update",
    items: [
      { id: a, name: "AA" },
      { id: b, version: 9, name: "BB" },
      { id: a, name: "AAA" },
      { id: `lead_${"0".repeat(26)}`, name: "x" },
      { name: "x" },
      { id: b, version: 1, status: "nowhere" },
    ],
  });
  assert.deepEqual(
    updated.results.map(({ status, error }) => [status, error?.code ?? null]),
    [
      [200, null],
      [412, "stale"],
      [409, "repeated"],
      [404, "not_found"],
      [400, "required"],
      [409, "repeated"],
    ],
  );
  const tagged = await bulk(key, { op: "tag_add", tags: ["x", "y"], items: [{ id: a }, { id: b }] });
  assert.equal(tagged.updated, 2);
  await bulk(key, { op: "tag_remove", tags: ["x", "none"], items: [{ id: a }] });
  assert.deepEqual((await leadOf(await key.send("GET", `/api/v1/leads/${a}`))).tags, ["y"]);
  assert.equal((await bulk(key, { op: "tag_add", tags: ["y"], items: [{ id: a }] })).unchanged, 1);
  const full = Array.from({ length: 100 }, (_, i) => `t${i}`);
  const over = await bulk(key, { op: "tag_add", tags: full, items: [{ id: a }] });
  assert.deepEqual([over.results[0]?.status, over.results[0]?.error?.code], [422, "too_many_tags"]);
  assert.equal(
    (await bulk(key, { op: "set", set: { status: "won" }, items: [{ id: a }, { id: b }] })).updated,
    2,
  );
  assert.equal((await bulk(key, { op: "delete", items: [{ id: a }, { id: b }] })).updated, 2);
  assert.deepEqual((await bulk(key, { op: "delete", items: [{ id: a }] })).results[0]?.status, 404);
  assert.equal((await bulk(key, { op: "restore", items: [{ id: a }] })).updated, 1);
  assert.deepEqual(
    (await told(the, String(a))).map(([type, field]) => `${type} ${field}`),
    [
      "lead.created undefined",
      "lead.updated name",
      "lead.updated tags",
      "lead.updated tags",
      "lead.updated status",
      "lead.deleted deleted_at",
      "lead.restored deleted_at",
    ],
  );
});

test("a bulk upsert makes each person once, even when its own items repeat them and others race it", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const items = Array.from({ length: 60 }, (_, i) => ({ email: `p${i % 20}@example.org`, name: `n${i}` }));
  const one = await bulk(key, { op: "upsert", match_on: ["email"], items });
  assert.deepEqual([one.created, one.updated, one.results.length], [20, 40, 60]);
  assert.deepEqual(
    one.results.map(({ index }) => index),
    items.map((_, i) => i),
  );
  const lead = await leadOf(await key.send("GET", `/api/v1/leads/${one.results[5]?.id}`));
  assert.deepEqual([lead.name, lead.version], ["n45", 3]);
  const more = items.map(({ name }, i) => ({ email: `q${i % 10}@example.org`, name }));
  await Promise.all([1, 2, 3, 4].map(() => bulk(key, { op: "upsert", items: more })));
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.lead"), [{ n: 30 }]);
  await key.send("POST", "/api/v1/leads", { email: "p1@example.org" });
  const mixed = await bulk(key, {
    op: "upsert",
    items: [{ email: "p1@example.org", name: "x" }, { name: "y" }, { email: "p2@example.org", name: "n42" }],
  });
  assert.deepEqual(
    mixed.results.map(({ status, error }) => [status, error?.code ?? null]),
    [
      [409, "ambiguous"],
      [422, "no_identity"],
      [200, null],
    ],
  );
});

test("a change by filter changes the expected number of leads, or none", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await bulk(key, {
    op: "create",
    items: Array.from({ length: 30 }, (_, i) => ({ name: `n${i}`, source: i < 12 ? "web" : "fair" })),
  });
  const filter = { field: "source", op: "eq", value: "web" };
  const asked = { op: "set", set: { status: "won", custom: {} }, filter };
  assert.deepEqual(await refused(key, { ...asked, expected_count: 11 }), [
    409,
    "count_changed",
    "$.expected_count",
  ]);
  const rehearsed = await bulk(key, { ...asked, dry_run: true });
  assert.deepEqual([rehearsed.matched, rehearsed.updated], [12, 12]);
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.lead WHERE status = 'won'"), [
    { n: 0 },
  ]);
  const done = await bulk(key, { ...asked, expected_count: 12 });
  assert.deepEqual([done.matched, done.updated, done.unchanged], [12, 12, 0]);
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.event WHERE type = 'lead.updated'"), [
    { n: 12 },
  ]);
  assert.equal((await bulk(key, { ...asked, expected_count: 12 })).unchanged, 12);
  assert.equal((await bulk(key, { op: "delete", filter, expected_count: 12 })).updated, 12);
  assert.equal((await bulk(key, { op: "delete", filter, expected_count: 0 })).matched, 0);
});

test("a dry run of items reports what the change would do, and changes nothing", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const items = [{ email: "a@example.org" }, { email: "a@example.org", name: "x" }, { email: "bad" }];
  const tried = await bulk(key, { op: "upsert", items, dry_run: true });
  assert.deepEqual([tried.created, tried.updated, tried.failed, tried.results[0]?.id], [1, 1, 1, null]);
  assert.deepEqual(await the.sql("SELECT id FROM store.lead"), []);
  const done = await bulk(key, { op: "upsert", items });
  assert.deepEqual([done.created, done.updated, done.failed], [1, 1, 1]);
});

test("an invalid bulk change is refused as a whole, with the path", async () => {
  await using the = await world();
  const key = await writer(the);
  const filter = { field: "source", op: "eq", value: "web" };
  const cases: [object, number, string, string][] = [
    [{ op: "create" }, 400, "items_or_filter", "$"],
    [{ op: "delete", items: [{ id: "x" }], filter }, 400, "items_or_filter", "$"],
    [{ op: "create", filter }, 400, "needs_items", "$.op"],
    [{ op: "delete", filter }, 400, "required", "$.expected_count"],
    [
      { op: "delete", filter: { field: "nome", op: "eq", value: 1 }, expected_count: 1 },
      400,
      "unknown_field",
      "$.filter.field",
    ],
    [{ op: "delete", filters: filter, expected_count: 1 }, 400, "unknown_key", "$.filters"],
    [{ op: "set", items: [{ id: "x" }] }, 400, "required", "$.set"],
    [{ op: "set", set: { status: "none" }, items: [{ id: "x" }] }, 422, "unknown_option", "$.set.status"],
    [{ op: "tag_add", items: [{ id: "x" }] }, 400, "required", "$.tags"],
    [{ op: "delete", tags: ["x"], items: [{ id: "x" }] }, 400, "unexpected", "$.tags"],
    [{ op: "delete", items: [] }, 400, "too_few", "$.items"],
    [{ op: "delete", items: Array(501).fill({ id: "x" }) }, 400, "too_many", "$.items"],
    [{ op: "delete", match_on: "email", items: [{ id: "x" }] }, 400, "unexpected", "$.match_on"],
  ];
  for (const [body, ...said] of cases) assert.deepEqual(await refused(key, body), said, JSON.stringify(body));
});

test("the leads of one call keep the order in which they were sent, and so do the events of one transaction", async () => {
  await using the = await world();
  const key = await writer(the);
  const names = Array.from({ length: 100 }, (_, i) => `Lead ${i}`);
  const { results } = await bulk(key, { op: "create", items: names.map((name) => ({ name })) });
  const ids = results.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), ids);
  const sorted = { sort: [{ field: "created_at", dir: "asc" }], limit: 100 };
  const { leads } = await bodyOf<{ leads: { name: string }[] }>(
    await key.send("POST", "/api/v1/leads/search", sorted),
  );
  assert.deepEqual(
    leads.map(({ name }) => name),
    names,
  );
  const { events } = await bodyOf<{ events: { lead_id: string }[] }>(
    await key.send("GET", "/api/v1/events?limit=100"),
  );
  assert.deepEqual(
    events.map(({ lead_id }) => lead_id),
    ids,
  );
});
