import assert from "node:assert/strict";
import { test } from "node:test";
import { Caller } from "../../mcp/support/using.ts";
import { world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";
import { writer } from "../support/writing.ts";

const GONE = { field: "deleted_at", op: "is_not_empty" };
const PRESENT = { field: "deleted_at", op: "is_empty" };

test("deleted_at is not offered to filters, orders and groups, which never see a deleted lead", async () => {
  await using the = await world();
  const key = await the.key();
  const { fields } = await bodyOf<{
    fields: { name: string; operators: string[]; sortable: boolean; groupable: boolean }[];
  }>(await key.send("GET", "/api/v1/leads/fields"));
  const field = fields.find(({ name }) => name === "deleted_at");
  assert.deepEqual([field?.operators, field?.sortable, field?.groupable], [[], false, false]);
  const document = await (await fetch(`${the.baseUrl}/openapi.json`)).text();
  const { schemas } = (JSON.parse(document) as { components: { schemas: Record<string, unknown> } })
    .components;
  for (const name of ["DateFieldName", "ScalarFieldName", "GroupFieldName"]) {
    assert.match(JSON.stringify(schemas[name]), /"created_at"/, name);
    assert.doesNotMatch(JSON.stringify(schemas[name]), /"deleted_at"/, name);
  }
  const tools = JSON.stringify([...(await Caller.in(the)).tools]);
  assert.match(tools, /updated_at/);
  assert.doesNotMatch(tools, /deleted_at/);
});

test("a filter by deleted_at is refused with its path under /api/v1, wherever it is in the filter", async () => {
  await using the = await world();
  const key = await writer(the);
  const other = { field: "name", op: "eq", value: "Ana" };
  const cases: [filter: object, path: string][] = [
    [GONE, "$.filter.field"],
    [PRESENT, "$.filter.field"],
    [{ and: [other, { not: { or: [other, GONE] } }] }, "$.filter.and[1].not.or[1].field"],
  ];
  for (const [filter, path] of cases) {
    for (const address of ["search", "count", "aggregate", "bulk"]) {
      const more = address === "bulk" ? { op: "delete", expected_count: 0 } : {};
      const refusal = await refusalOf(
        await key.send("POST", `/api/v1/leads/${address}`, { filter, ...more }),
      );
      assert.deepEqual(
        [refusal.status, refusal.code, refusal.paths],
        [400, "not_filterable", [path]],
        address,
      );
    }
    const checked = await bodyOf<{ valid: boolean; errors: { path: string }[] }>(
      await key.send("POST", "/api/v1/leads/filters/validate", { filter }),
    );
    assert.deepEqual([checked.valid, checked.errors[0]?.path], [false, path]);
    const saved = await refusalOf(
      await key.send("POST", "/api/v1/views", { name: "Gone", query: { filter } }),
    );
    assert.deepEqual([saved.status, saved.code], [400, "not_filterable"]);
  }
});

test("endpoints without a version and stored views answer a filter by deleted_at as before, with a warning", async () => {
  await using the = await world();
  const key = await writer(the);
  const [present = ""] = await addLeads(the, [{ name: "Ana" }, { name: "Bia", deleted_at: new Date() }]);
  const warned = async (filter: object) => {
    const answer = await key.query({ filter });
    return [
      idsOf(await pageOf(answer)),
      answer.headers.get("x-leadgate-warning")?.includes("not_filterable"),
    ];
  };
  assert.deepEqual(await warned(GONE), [[], true]);
  assert.deepEqual(await warned(PRESENT), [[present], true]);
  const { id } = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/views", { name: "Old", query: {} }),
    201,
  );
  // As a view that was saved when deleted_at was offered.
  await the.sql("UPDATE store.saved_view SET query = $1", [JSON.stringify({ filter: PRESENT })]);
  const view = { filter: { view: id } };
  assert.deepEqual(idsOf(await pageOf(await key.query(view))), [present]);
  assert.equal(
    (await bodyOf<{ count: number }>(await key.send("POST", "/api/v1/leads/count", view))).count,
    1,
  );
  await bodyOf(await key.send("PATCH", `/api/v1/views/${id}`, { name: "Older" }));
  await bodyOf(await key.send("PATCH", `/api/v1/views/${id}`, { query: { filter: PRESENT, search: "ana" } }));
});
