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
