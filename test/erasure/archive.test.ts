import assert from "node:assert/strict";
import { test } from "node:test";
import { make, written } from "../datasets/support/dataset.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { world } from "../world.ts";
import { eraser, unzipped } from "./support/erasing.ts";

const EMAIL = "ana.archive@example.org";

test("a person's archive has the rows of a deleted dataset beside those of a new one with its name, with all columns", async () => {
  await using the = await world({ env: { ROLE: "api" } });
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

test("a person's archive has what other leads' history, and what imports keep of rows, tell of the person", async () => {
  await using the = await world();
  const key = await eraser(the);
  const created = async (lead: object) =>
    ((await (await key.send("POST", "/api/v1/leads", lead)).json()) as { id: string }).id;
  const former = await created({ email: EMAIL, phone: "+55 11 91609-7776" });
  assert.equal(
    (await key.send("PATCH", `/api/v1/leads/${former}`, { email: "new@example.org" })).status,
    200,
  );
  const near = await created({ email: `x-${EMAIL}` });
  assert.equal(
    (await key.send("PATCH", `/api/v1/leads/${near}`, { email: "other@example.org" })).status,
    200,
  );
  await created({ email: EMAIL, name: "Ana" });
  await make(key, {
    key: "orders",
    columns: [
      { key: "number", type: "text" },
      { key: "mail", type: "email" },
      { key: "total", type: "number" },
    ],
    key_column: "number",
    lead_link: { column: "mail", match: "email" },
  });
  await written(key, [{ number: "1", mail: EMAIL, total: 10 }], "insert", "orders");
  const file = `number,mail,total\n1,${EMAIL},20\n2,someone@example.org,30\n`;
  const { id } = await uploaded(the, key, file, { query: "?dataset=orders&mode=upsert" });
  await acted(key, id, "commit");

  const archive = await unzipped(await key.send("POST", "/api/v1/people/export", { email: EMAIL }));
  const history = JSON.parse(archive["history.json"] ?? "") as Record<string, unknown>[];
  assert.deepEqual(
    history.map(({ lead_id, field, from, to }) => [lead_id, field, from, to]),
    [[former, "email", EMAIL, "new@example.org"]],
  );
  const all = JSON.parse(archive["dataset-changes.json"] ?? "") as Record<string, unknown>[];
  assert.equal(all.length, 2);
  const changes = all.filter(({ import_id }) => import_id === id);
  assert.deepEqual(
    [changes[0]?.before, changes[0]?.after].map((cells) => (cells as { total?: unknown }).total),
    [10, 20],
  );
});
