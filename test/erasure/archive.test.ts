import assert from "node:assert/strict";
import { test } from "node:test";
import { make, UNLIMITED, written } from "../datasets/support/dataset.ts";
import { world } from "../world.ts";
import { eraser, unzipped } from "./support/erasing.ts";

const EMAIL = "ana.archive@example.org";

test("a person's archive has the rows of a deleted dataset beside those of a new one with its name, with all columns", async () => {
  await using the = await world({ ...UNLIMITED, env: { ...UNLIMITED.env, ROLE: "api" } });
  const key = await eraser(the);
  const columns = [
    { key: "mail", type: "email" },
    { key: "id", type: "text" },
    { key: "created_at", type: "text" },
  ];
  const orders = { key: "orders", columns, lead_link: { column: "mail", match: "email" } };
  for (const which of ["first", "second"]) {
    await make(key, orders);
    await written(key, [{ mail: EMAIL, id: which, created_at: "never" }], "insert", "orders");
    if (which === "first") await the.sql("UPDATE store.dataset SET deleted_at = now()");
  }
  const archive = await key.send("POST", "/api/v1/people/export", { email: EMAIL });
  const files = Object.entries(await unzipped(archive)).filter(([name]) => name.startsWith("datasets/"));
  const rows = Object.fromEntries(
    files.map(([name, text]) => [
      name.replace(/-ds\w+/, "-ID"),
      JSON.parse(text) as Record<string, unknown>[],
    ]),
  );
  assert.deepEqual(Object.keys(rows).sort(), ["datasets/orders-ID.json", "datasets/orders.json"]);
  for (const [name, which] of [
    ["datasets/orders-ID.json", "first"],
    ["datasets/orders.json", "second"],
  ] as const) {
    const [row] = rows[name] ?? [];
    assert.deepEqual(row?.cells, { mail: EMAIL, id: which, created_at: "never" });
    assert.match(String(row?.id), /^row_/);
    assert.ok(!Number.isNaN(Date.parse(String(row?.created_at))));
  }
});

test("a person's archive has each of many events of one moment once", async () => {
  await using the = await world();
  const key = await eraser(the);
  const { id } = (await (await key.send("POST", "/api/v1/leads", { email: EMAIL })).json()) as { id: string };
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, actor, title)
     SELECT $1, 'ev_' || lpad(n::text, 26, '0'), $2, 'call.made', '2026-01-02T03:04:05Z', 'api', '{"type":"key","id":"key_1"}', 'Call ' || n
     FROM generate_series(1, 1003) AS n`,
    [the.project.id, id],
  );
  const archive = await unzipped(await key.send("POST", "/api/v1/people/export", { email: EMAIL }));
  const events = JSON.parse(archive["events.json"] ?? "") as { id: string; type: string }[];
  const calls = events.filter(({ type }) => type === "call.made").map((event) => event.id);
  assert.equal(calls.length, 1003);
  assert.equal(new Set(calls).size, 1003);
});
