import assert from "node:assert/strict";
import { test } from "node:test";
import { addLeads, pageOf } from "../api/support/leads.ts";
import { world } from "../world.ts";
import { bodyOf, errorsOf, found, keeper, make, type Row, write, written } from "./support/dataset.ts";

const ACME = {
  domain: "acme.com",
  name: "Acmé",
  employees: 12,
  revenue: 10.5,
  active: true,
  founded: "1999-02-28",
  seen: "2026-03-31T14:30:00-03:00",
  contact: "Ana@Acme.com",
  phone: "+55 (11) 91234-5678",
  site: "https://acme.com/?a=1",
  tier: "gold",
  facts: { a: [1, { b: null }] },
};

test("a row is returned as written: times with their offset, phones in E.164, blanks as null", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  const { results } = await written(key, [ACME, { domain: "b.com", name: " B ", tier: "", facts: null }]);
  const { rows } = await found(key);
  const [acme, b] = rows as [Row, Row];
  assert.equal(acme._id, results[0]?.id);
  assert.match(String(acme._created_at), /\+00:00$/);
  const { _id, _lead_id, _version, _created_at, _updated_at, ...values } = acme;
  assert.deepEqual([_lead_id, _version], [null, 1]);
  assert.deepEqual(values, { ...ACME, phone: "+5511912345678", seen: "2026-03-31T17:30:00.000+00:00" });
  assert.deepEqual([b.name, b.tier, b.facts, b.employees], ["B", null, null, null]);
});

/** Values that a column refuses, and the error's code. */
const WRONG: [string, unknown, string][] = [
  ["name", null, "required"],
  ["name", "a\0b", "nul"],
  ["seen", "9999-12-31T23:59:59-12:00", "not_a_datetime"],
  ["tier", "Gold", "unknown_option"],
  ["nome", "x", "unknown_column"],
  ["__proto__", "x", "read_only"],
];

test("a value that does not fit its column is 422 with row, column and code, and nothing is written", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  for (const [column, value, code] of WRONG) {
    const rest = Object.entries({ ...ACME, domain: "b.com" }).filter(([name]) => name !== column);
    const bad = JSON.stringify(Object.fromEntries(rest)).replace(
      /\}$/,
      `,${JSON.stringify(column)}:${JSON.stringify(value)}}`,
    );
    const body = `{"rows":[${JSON.stringify(ACME)},${bad}]}`;
    assert.deepEqual(
      await errorsOf(await key.send("POST", "/api/datasets/companies/rows/", body)),
      [[1, column, code]],
      `${column} ${code}`,
    );
  }
  const rest = await errorsOf(
    await write(key, [[], "x", { domain: "c.com" }, { ...ACME, facts: "x".repeat(65_536) }]),
  );
  assert.deepEqual(rest, [
    [0, null, "type"],
    [1, null, "type"],
    [2, "name", "required"],
    [3, null, "row_too_large"],
  ]);
  assert.deepEqual((await found(key)).rows, []);
});

test("insert refuses a key that exists, update one that does not; upsert ignores case and accents of keys", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  await written(key, [{ domain: "São.com", name: "one" }]);
  assert.deepEqual(await errorsOf(await write(key, [{ domain: "sao.COM", name: "two" }])), [
    [0, "domain", "duplicate"],
  ]);
  assert.deepEqual(
    await errorsOf(
      await write(key, [
        { domain: "x", name: "a" },
        { domain: "X", name: "b" },
      ]),
    ),
    [[1, "domain", "duplicate"]],
  );
  assert.deepEqual(await errorsOf(await write(key, [{ domain: "none", employees: 1 }], "update")), [
    [0, "domain", "unknown_row"],
  ]);
  assert.deepEqual(await errorsOf(await write(key, [{ name: "a" }], "upsert")), [[0, "domain", "required"]]);
  const changed = await written(
    key,
    [
      { domain: "sao.com", employees: 3 },
      { domain: "new.com", name: "new" },
      { domain: "NEW.com", employees: 1 },
      { domain: "NEW.com", employees: 1 },
    ],
    "upsert",
  );
  assert.deepEqual(
    changed.results.map(({ outcome, version }) => [outcome, version]),
    [
      ["updated", 2],
      ["created", 1],
      ["updated", 1],
      ["unchanged", 1],
    ],
  );
  assert.deepEqual([changed.created, changed.updated, changed.unchanged], [1, 2, 1]);
  const { rows } = await found(key, {
    sort: [{ field: "domain" }],
    columns: ["domain", "name", "employees", "_version"],
  });
  assert.deepEqual(
    rows.map(({ _id, ...row }) => row),
    [
      { _version: 1, domain: "NEW.com", name: "new", employees: 1 },
      { _version: 2, domain: "sao.com", name: "one", employees: 3 },
    ],
  );
  const again = await written(key, [{ domain: "sao.com", employees: 3 }], "update");
  assert.deepEqual([again.unchanged, again.results[0]?.version], [1, 2]);
});

test("racing upserts of one key create one row, and none is refused", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  await make(key);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      written(
        key,
        [
          { domain: "a.com", name: "a", employees: n },
          { domain: "b.com", name: `b${n}` },
        ].toSorted(() => (n % 2 ? 1 : -1)),
        "upsert",
      ),
    ),
  );
  assert.equal(
    answers.reduce((sum, { created }) => sum + created, 0),
    2,
  );
  assert.equal((await found(key)).page_info.total, 2);
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.dataset_unique"), [{ n: 2 }]);
});

test("racing inserts of one unique value store it once, whichever column it is", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key, {
    key: "codes",
    columns: [
      { key: "code", type: "integer", unique: true },
      { key: "n", type: "integer" },
    ],
  });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => write(key, [{ code: 7, n }], "insert", "codes")),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(422)]);
  await written(key, [{ n: 1 }, { n: 2 }], "insert", "codes");
  const { rows } = await found(key, { sort: [{ field: "code" }] }, "codes");
  assert.deepEqual(
    rows.map(({ code }) => code),
    [7, null, null],
  );
  const [seven] = rows;
  await written(key, [{ _id: seven?._id, code: null }], "update", "codes");
  await written(key, [{ code: 7 }], "insert", "codes");
});

test("rows are deleted by ids, by keys or by a filter with the expected count", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  await make(key);
  const rows = Array.from({ length: 10 }, (_, n) => ({ domain: `d${n}.com`, name: "n", employees: n }));
  const { results } = await written(key, rows);
  const remove = async (body: object, status = 200) =>
    await bodyOf<Record<string, unknown>>(
      await key.send("DELETE", "/api/datasets/companies/rows/", body),
      status,
    );
  assert.deepEqual(await remove({ ids: [results[0]?.id, "row_x", "a\0"] }), {
    deleted: 1,
    missing: ["row_x", "a\0"],
  });
  assert.deepEqual(await remove({ keys: ["D1.COM", "d0.com", 5] }), { deleted: 1, missing: ["d0.com", 5] });
  const filter = { field: "employees", op: "gte", value: 5 };
  assert.equal((await remove({ filter, expected_count: 4 }, 409)).code, "count_changed");
  assert.equal((await remove({ filter }, 400)).code, "required");
  assert.equal((await remove({}, 400)).code, "one_of");
  assert.equal((await remove({ ids: ["a"], keys: ["b"] }, 400)).code, "one_of");
  assert.equal((await remove({ ids: ["a"], filters: {} }, 400)).code, "unknown_key");
  assert.equal((await found(key)).page_info.total, 8);
  assert.deepEqual(await remove({ filter, expected_count: 5 }), { deleted: 5, missing: [] });
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.dataset_unique"), [{ n: 3 }]);
  await written(key, [{ domain: "d9.com", name: "again" }]);
});

test("rows are found by every type of column, by search words, in any order, page by page", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  await written(key, [
    ACME,
    {
      domain: "b.com",
      name: "Beta 100%",
      employees: 2,
      active: false,
      tier: "silver",
      seen: "2026-01-01T00:00:00Z",
    },
    { domain: "c.com", name: "gamma" },
  ]);
  const named = async (query: object) =>
    (await found(key, { sort: [{ field: "name" }], ...query })).rows.map(({ name }) => name);
  const by = async (field: string, op: string, value?: unknown) =>
    await named({ filter: { field, op, ...(value === undefined ? {} : { value }) } });
  assert.deepEqual(await by("name", "eq", "ACME"), ["Acmé"]);
  assert.deepEqual(await by("name", "contains", "100%"), ["Beta 100%"]);
  assert.deepEqual(await by("employees", "between", [2, 11.5]), ["Beta 100%"]);
  assert.deepEqual(await by("employees", "not_in", [2]), ["Acmé", "gamma"]);
  assert.deepEqual(await by("revenue", "eq", 10.5), ["Acmé"]);
  assert.deepEqual(await by("active", "eq", false), ["Beta 100%"]);
  assert.deepEqual(await by("founded", "on_or_before", "1999-02-28"), ["Acmé"]);
  assert.deepEqual(await by("seen", "after", "2026-02-01"), ["Acmé"]);
  assert.deepEqual(await by("contact", "domain_in", ["acme.COM"]), ["Acmé"]);
  assert.deepEqual(await by("contact", "eq", "ana@acme.com"), ["Acmé"]);
  assert.deepEqual(await by("phone", "eq", "+5511912345678"), ["Acmé"]);
  assert.deepEqual(await by("site", "starts_with", "https"), ["Acmé"]);
  assert.deepEqual(await by("tier", "in", ["silver"]), ["Beta 100%"]);
  assert.deepEqual(await by("tier", "is_empty"), ["gamma"]);
  assert.deepEqual(await by("_lead_id", "is_not_empty"), []);
  assert.deepEqual(await by("_version", "eq", 1), ["Acmé", "Beta 100%", "gamma"]);
  assert.deepEqual(await by("_created_at", "in_last", { n: 1, unit: "hour" }), [
    "Acmé",
    "Beta 100%",
    "gamma",
  ]);
  assert.deepEqual(await named({ search: "acme ANA" }), ["Acmé"]);
  assert.deepEqual(await named({ sort: [{ field: "employees", dir: "desc", nulls: "first" }] }), [
    "gamma",
    "Acmé",
    "Beta 100%",
  ]);
  const page = await found(key, { limit: 2, offset: 1, sort: [{ field: "employees" }], columns: ["name"] });
  assert.deepEqual(page.page_info, {
    limit: 2,
    offset: 1,
    count: 2,
    has_more: false,
    next_offset: null,
    total: 3,
    total_relation: "eq",
  });
  assert.deepEqual(Object.keys(page.rows[0] ?? {}), ["_id", "name"]);
  const refused = async (query: object) => {
    const { code, detail } = await bodyOf<{ code: string; detail: string }>(
      await key.send("POST", "/api/datasets/companies/query/", query),
      400,
    );
    return [code, detail.split(": ")[0]];
  };
  assert.deepEqual(await refused({ filter: { field: "nome", op: "eq", value: 1 } }), [
    "unknown_field",
    "$.filter.field",
  ]);
  assert.deepEqual(await refused({ filter: { not: { field: "facts", op: "eq", value: 1 } } }), [
    "unknown_operator",
    "$.filter.not.op",
  ]);
  assert.deepEqual(await refused({ filter: { event: {} } }), ["unknown_form", "$.filter"]);
  assert.deepEqual(await refused({ filter: { dataset: { key: "companies" } } }), [
    "unknown_form",
    "$.filter",
  ]);
  assert.deepEqual(await refused({ filter: { view: "view_x" } }), ["unknown_form", "$.filter"]);
  assert.deepEqual(await refused({ sort: [{ field: "facts" }] }), ["not_sortable", "$.sort[0].field"]);
  assert.deepEqual(await refused({ columns: ["x"] }), ["unknown_field", "$.columns[0]"]);
  assert.deepEqual(await refused({ limit: 501 }), ["range", "$.limit"]);
  assert.deepEqual(await refused({ filters: {} }), ["unknown_key", "$.filters"]);
  assert.deepEqual(await refused({ timezone: "Mars/Base" }), ["unknown_timezone", "$.timezone"]);
});

test("one row is created, read, changed and deleted under v1, at the caller's version", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  const made = await key.send("POST", "/api/v1/datasets/companies/rows", ACME);
  const row = await bodyOf<Row>(made.clone(), 201);
  assert.equal(made.headers.get("etag"), '"1"');
  const at = `/api/v1/datasets/companies/rows/${row._id}`;
  const send = (method: string, version: string, body?: object) =>
    fetch(`${the.baseUrl}${at}`, {
      method,
      headers: {
        Authorization: `Bearer ${key.text}`,
        "If-Match": version,
        "Content-Type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  assert.equal((await bodyOf<Row>(await send("PATCH", '"1"', { employees: 13 }))).employees, 13);
  const stale = await bodyOf<{ error: { code: string } }>(await send("PATCH", '"1"', { employees: 14 }), 412);
  assert.equal(stale.error.code, "stale");
  await bodyOf(await send("DELETE", '"1"'), 412);
  const wrong = await bodyOf<{ error: { details: { path: string }[] } }>(
    await send("PATCH", '"2"', { employees: "x", name: null }),
    422,
  );
  assert.deepEqual(
    wrong.error.details.map(({ path }) => path),
    ["$.employees"],
  );
  assert.equal((await bodyOf<Row>(await key.send("GET", at)))._version, 2);
  await bodyOf(await send("DELETE", '"2"'), 204);
  await bodyOf(await send("DELETE", "*"), 404);
  await bodyOf(await key.send("GET", at), 404);
  await written(
    key,
    Array.from({ length: 7 }, (_, n) => ({ domain: `${n}`, name: "n" })),
  );
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: { rows: Row[]; next_cursor: string | null } = await bodyOf(
      await key.send("GET", `/api/v1/datasets/companies/rows?limit=3&columns=domain${next}`),
    );
    seen.push(...page.rows.map(({ domain }) => domain));
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(seen, ["0", "1", "2", "3", "4", "5", "6"]);
});

test("a JSON column, and a lead's custom, can only be tested for being empty", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  await written(key, [
    { domain: "a", name: "full", facts: { a: 1 } },
    { domain: "b", name: "none" },
    { domain: "c", name: "hollow", facts: {} },
    { domain: "d", name: "list", facts: [0] },
  ]);
  const by = async (op: string) =>
    (await found(key, { filter: { field: "facts", op }, sort: [{ field: "domain" }] })).rows.map(
      ({ name }) => name,
    );
  assert.deepEqual(await by("is_empty"), ["none", "hollow"]);
  assert.deepEqual(await by("is_not_empty"), ["full", "list"]);
  const equal = { filter: { field: "facts", op: "eq", value: "x" } };
  assert.equal((await key.send("POST", "/api/datasets/companies/query/", equal)).status, 400);
  await addLeads(the, [{ name: "with", custom: { a: 1 } }, { name: "without" }]);
  const leads = async (op: string) =>
    (await pageOf(await key.query({ filter: { field: "custom", op } }))).leads.map(({ name }) => name);
  assert.deepEqual([await leads("is_empty"), await leads("is_not_empty")], [["without"], ["with"]]);
});
