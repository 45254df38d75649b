import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission } from "../../src/core/permission.ts";
import { eraseProjects } from "../../src/domain/projects/delete-project.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { world } from "../world.ts";
import { bodyOf, COMPANIES, type Dataset, found, keeper, make, write, written } from "./support/dataset.ts";

interface Envelope {
  error: { code: string; details: { path: string; code: string }[] };
}

test("a project has at most a hundred datasets; a deleted one makes room at once, while its rows are still being deleted", async () => {
  await using the = await world();
  const key = await keeper(the);
  const columns = [{ key: "a", type: "text" }];
  const { id } = await make(key, { key: "large", columns });
  await the.sql(
    `INSERT INTO store.dataset_row (project_id, dataset_id, id, cells)
     SELECT $1, $2, 'row_' || lpad(n::text, 26, '0'), '{"c1": "x"}' FROM generate_series(1, 1500) AS n`,
    [the.project.id, id],
  );
  await the.sql(
    `INSERT INTO store.dataset (project_id, id, key, name, columns)
     SELECT $1, 'ds_' || lpad(n::text, 26, '0'), 'more_' || n, 'More', '[]' FROM generate_series(1, 99) AS n`,
    [the.project.id],
  );
  const full = await key.send("POST", "/api/v1/datasets", { key: "one_more", columns });
  assert.equal((await bodyOf<Envelope>(full, 409)).error.code, "too_many_datasets");
  assert.equal((await key.send("DELETE", "/api/v1/datasets/large")).status, 204);
  await make(key, { key: "one_more", columns });
});

test("a dataset is made, listed, read by id or key, renamed and deleted with its rows", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  const made = await make(key);
  assert.match(made.id, /^ds_/);
  assert.deepEqual(made.columns[0], {
    ...{ key: "domain", label: "domain", type: "text", required: true, unique: true, options: [] },
  });
  assert.deepEqual(made.lead_link, { column: "contact", match: "email", personal: true });
  await make(key, { key: "zeta", columns: [{ key: "a", type: "text" }] });
  const list = await bodyOf<{ datasets: Dataset[]; page_info: object }>(
    await key.send("GET", "/api/datasets/?limit=1"),
  );
  assert.deepEqual(list.datasets, [made]);
  assert.deepEqual(list.page_info, {
    ...{ limit: 1, offset: 0, count: 1, has_more: true, next_offset: 1, total: 2, total_relation: "eq" },
  });
  const first = await bodyOf<{ datasets: Dataset[]; next_cursor: string }>(
    await key.send("GET", "/api/v1/datasets?limit=1"),
  );
  const next = await bodyOf<{ datasets: Dataset[]; next_cursor: null }>(
    await key.send("GET", `/api/v1/datasets?limit=1&cursor=${first.next_cursor}`),
  );
  assert.deepEqual([next.datasets.map((each) => each.key), next.next_cursor], [["zeta"], null]);
  for (const path of ["/api/datasets/companies/", `/api/datasets/${made.id}`, "/api/v1/datasets/companies"])
    assert.deepEqual(await bodyOf(await key.send("GET", path)), made);
  const renamed = await bodyOf<Dataset>(
    await key.send("PATCH", "/api/v1/datasets/companies", { key: "firms", name: "Firms", version: 1 }),
  );
  assert.deepEqual([renamed.key, renamed.name, renamed.version, renamed.id], ["firms", "Firms", 2, made.id]);
  assert.equal(
    (
      await bodyOf<Envelope>(
        await key.send("PATCH", "/api/v1/datasets/firms", { name: "F", version: 1 }),
        412,
      )
    ).error.code,
    "stale",
  );
  assert.equal(
    (await bodyOf<Envelope>(await key.send("PATCH", "/api/v1/datasets/firms", { key: "zeta" }), 409)).error
      .code,
    "key_taken",
  );
  assert.equal(
    (await bodyOf<Envelope>(await key.send("POST", "/api/v1/datasets", { ...COMPANIES, key: "firms" }), 409))
      .error.code,
    "key_taken",
  );
  for (let at = 0; at < 1_500; at += 500)
    await written(
      key,
      Array.from({ length: 500 }, (_, n) => ({ domain: `${at + n}`, name: "n" })),
      "insert",
      "firms",
    );
  await bodyOf(await key.send("DELETE", "/api/v1/datasets/firms"), 204);
  await bodyOf(await key.send("GET", "/api/v1/datasets/firms"), 404);
  await make(key, { ...COMPANIES, key: "firms" });
  assert.deepEqual((await found(key, {}, "firms")).rows, []);
  assert.equal(await sweep(the.service), true);
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.dataset_row"), [{ n: 0 }]);
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.dataset"), [{ n: 2 }]);
});

/** Inconsistent definitions, and the path of the error. */
const WRONG: [object, string, string][] = [
  [{ columns: [{ key: "a", type: "text" }] }, "$.key", "required"],
  [{ key: "x", columns: [{ key: "a", type: "enum" }] }, "$.columns[0].options", "required"],
  [{ key: "x", columns: [{ key: "a", type: "text" }], key_column: "b" }, "$.key_column", "unknown_column"],
];

test("an inconsistent definition is 400 with its path", async () => {
  await using the = await world();
  const key = await keeper(the);
  for (const [definition, path, code] of WRONG) {
    const { error } = await bodyOf<Envelope>(await key.send("POST", "/api/v1/datasets", definition), 400);
    assert.deepEqual([error.details[0]?.path, error.details[0]?.code], [path, code]);
  }
  assert.deepEqual(
    (await bodyOf<{ datasets: object[] }>(await key.send("GET", "/api/datasets/"))).datasets,
    [],
  );
});

test("a required column can be added as long as the dataset has no rows", async () => {
  await using the = await world();
  const key = await keeper(the);
  const columns = [{ key: "a", type: "text" }];
  await make(key, { key: "things", columns });
  const more = [...columns, { key: "b", type: "text", required: true }];
  const changed = await bodyOf<Dataset>(
    await key.send("PATCH", "/api/v1/datasets/things", { columns: more }),
  );
  assert.deepEqual(
    changed.columns.map((column) => [column.key, column.required]),
    [
      ["a", false],
      ["b", true],
    ],
  );
  await written(key, [{ a: "1", b: "x" }], "insert", "things");
  const { error } = await bodyOf<Envelope>(
    await key.send("PATCH", "/api/v1/datasets/things", {
      columns: [...more, { key: "c", type: "text", required: true }],
    }),
    409,
  );
  assert.equal(error.code, "rows_do_not_fit");
});

/** Every endpoint, and the permission that it requires (403 without it). */
const ENDPOINTS: [string, string, object | undefined, Permission][] = [
  ["GET", "/api/datasets/", undefined, "datasets:read"],
  ["GET", "/api/datasets/ID/", undefined, "datasets:read"],
  ["POST", "/api/datasets/ID/query/", {}, "datasets:read"],
  ["POST", "/api/datasets/ID/rows/", { rows: [{}] }, "datasets:write"],
  ["DELETE", "/api/datasets/ID/rows/", { ids: ["x"] }, "datasets:write"],
  ["GET", "/api/v1/datasets", undefined, "datasets:read"],
  ["POST", "/api/v1/datasets", { ...COMPANIES, key: "other" }, "datasets:write"],
  ["GET", "/api/v1/datasets/ID", undefined, "datasets:read"],
  ["PATCH", "/api/v1/datasets/ID", { name: "x" }, "datasets:write"],
  ["DELETE", "/api/v1/datasets/ID", undefined, "datasets:write"],
  ["GET", "/api/v1/datasets/ID/rows", undefined, "datasets:read"],
  ["POST", "/api/v1/datasets/ID/query", {}, "datasets:read"],
  ["POST", "/api/v1/datasets/ID/rows", { domain: "x", name: "x" }, "datasets:write"],
  ["POST", "/api/v1/datasets/ID/rows/batch", { rows: [{}] }, "datasets:write"],
  ["DELETE", "/api/v1/datasets/ID/rows", { ids: ["x"] }, "datasets:write"],
  ["GET", "/api/v1/datasets/ID/rows/ROW", undefined, "datasets:read"],
  ["PATCH", "/api/v1/datasets/ID/rows/ROW", { name: "y" }, "datasets:write"],
  ["DELETE", "/api/v1/datasets/ID/rows/ROW", undefined, "datasets:write"],
];

test("every endpoint requires its permission, and another project's dataset does not exist", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  const { id } = await make(key);
  const row = (await written(key, [{ domain: "a", name: "a" }])).results[0]?.id ?? "";
  const other = await the.newProject(the.person, "Other");
  const [foreign, stranger] = [await keeper(the, other.id), await the.key(["leads:read"])];
  const reader = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:import"]);
  const writer = await the.key(["datasets:write"]);
  for (const [method, path, body, permission] of ENDPOINTS) {
    const at = path.replace("ID", id).replace("ROW", row);
    const said = `${method} ${path}`;
    assert.equal((await stranger.send(method, at, body)).status, 403, said);
    if (method !== "GET")
      assert.equal((await stranger.send(method, at, '{"x":')).status, 403, `${said} before its body`);
    const wrong = permission === "datasets:write" ? reader : writer;
    assert.equal((await wrong.send(method, at, body)).status, 403, said);
    if (!path.includes("ID")) continue;
    const [theirs, none] = [
      await foreign.send(method, at, body),
      await foreign.send(method, at.replace(id, `ds_${"0".repeat(26)}`), body),
    ];
    assert.deepEqual([theirs.status, none.status], [404, 404], said);
    const withoutId = async (answer: Response) => (await answer.text()).replace(/"request_id":"[^"]*"/, "");
    assert.equal(await withoutId(theirs), await withoutId(none), said);
    if (body !== undefined) {
      assert.equal((await key.send(method, at, { ...body, project_id: other.id })).status, 403, said);
      assert.equal((await key.send(method, at, "[]")).status, 400, said);
    }
    for (const name of ["%00", "%F0%9F%98%80", "companies'--", "__proto__"])
      assert.ok(
        [400, 404].includes((await key.send(method, at.replace(id, name), body)).status),
        `${said} ${name}`,
      );
  }
  const [kept] = await the.sql("SELECT count(*)::int AS n FROM store.dataset_row WHERE cells ->> 'c2' = 'a'");
  assert.deepEqual(kept, { n: 1 });
});

test("a key that may write rows but not read them is not shown their values", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  const id = (await written(key, [{ domain: "a", name: "secret" }])).results[0]?.id;
  const writer = await the.key(["datasets:write"]);
  const answer = await bodyOf<object>(
    await writer.send("PATCH", `/api/v1/datasets/companies/rows/${id}`, { employees: 1 }),
  );
  assert.deepEqual(Object.keys(answer).sort(), ["_created_at", "_id", "_updated_at", "_version"]);
  assert.equal((await write(writer, [{ domain: "b", name: "b" }])).status, 200);
});

test("deleting a project deletes its datasets", async () => {
  await using the = await world({ alone: true });
  const key = await keeper(the);
  await make(key);
  await written(key, [{ domain: "a", name: "a" }]);
  await the.sql("INSERT INTO project_to_erase (project_id) VALUES ($1)", [the.project.id]);
  await eraseProjects(the.service);
  for (const table of ["dataset", "dataset_row", "dataset_unique"])
    assert.deepEqual(await the.sql(`SELECT count(*)::int AS n FROM store.${table}`), [{ n: 0 }], table);
});
