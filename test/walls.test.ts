import assert from "node:assert/strict";
import { test } from "node:test";
import { CALLS, REFERENCES } from "./api/support/endpoint-calls.ts";
import { textOf } from "./api/support/text-of.ts";
import { filled } from "./api/support/two-projects.ts";
import { bodyOf } from "./api/support/v1.ts";
import { logStatements } from "./statement-log.ts";
import { world } from "./world.ts";

const VARIETY = [
  { filter: { event: { type: "call.*", occurred: { op: "in_last", value: { n: 1, unit: "year" } } } } },
  { filter: { event: { type: "call.made", count: { op: "eq", value: 0 } } } },
  { filter: { event: { pick: "last", where: { field: "data.x", op: "gt", value: 1 } } } },
  { search: "ana souza", sort: [{ field: "score", dir: "desc" }], total: "exact" },
  {
    filter: {
      or: [
        { field: "tags", op: "has_any", value: ["a"] },
        { field: "phone", op: "eq", value: "+5511912345678" },
      ],
    },
  },
  { filter: { not: { field: "email", op: "domain_in", value: ["example.org"] } }, total: "bounded" },
];

test("every statement of a tour through all endpoints that touches a project's table names its project", async () => {
  const texts = logStatements();
  await using the = await world();
  const { ids, key } = await filled(the, "alder");
  const tables = await the.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'store'",
  );
  // Deletions come last, so that all other calls find their objects.
  const calls = Object.entries(CALLS).toSorted(([a], [b]) => rank(a) - rank(b));
  for (const [name, call] of calls)
    await textOf(await key.send(name.split(" ")[0] ?? "", call.path(ids), call.body?.(ids)));
  for (const { path, body } of Object.values(REFERENCES))
    await (await key.send(body === undefined ? "GET" : "POST", path(ids), body?.(ids))).arrayBuffer();
  for (const body of VARIETY)
    for (const offset of [0, 600]) {
      await bodyOf(await key.query({ ...body, offset }));
      await bodyOf(await key.send("POST", "/api/v1/leads/search", { ...body, limit: 1 }));
    }
  const touching = [...texts].filter(
    (text) => !/\bstore\.|WITH NO DATA$/.test(text) && tables.some(({ name }) => touches(text, name)),
  );
  assert.ok(touching.length > 60, String(touching.length));
  assert.deepEqual(
    touching.filter((text) => !/\bproject_id\b/.test(text)),
    [],
  );
});

const rank = (name: string): number => (name.startsWith("DELETE") ? 2 : name.includes("merge") ? 1 : 0);

/** Whether a statement reads or writes a table, rather than a WITH of the same name. */
const touches = (text: string, table: string): boolean =>
  new RegExp(String.raw`\b(FROM|JOIN|UPDATE|INTO|USING|COPY)\s+"?${table}\b`, "i").test(text) &&
  !new RegExp(String.raw`\b${table}\s+AS\s*(NOT MATERIALIZED|MATERIALIZED)?\s*\(`, "i").test(text);
