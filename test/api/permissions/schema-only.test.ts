import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { bodyOf } from "../support/v1.ts";

/** Numbers, ids and values that the refusals have for those who may read leads. */
const STORED = /\d+ (leads|saved)|lead_|view_|won|3|7/;

test("with schema:write alone, no refusal counts leads, or names them, their values or views", async () => {
  await using the = await world();
  const [reader, keeper] = [
    await the.key(["leads:read", "leads:write", "schema:write"]),
    await the.key(["schema:write"]),
  ];
  const tier = { key: "tier", label: "Tier", type: "text" };
  await bodyOf(await keeper.send("POST", "/api/v1/fields", tier), 201);
  const statuses = { statuses: ["fresh", "won"] };
  await bodyOf(await keeper.send("PUT", "/api/v1/statuses", statuses));
  const items = Array.from({ length: 10 }, (_, i) => ({
    status: i < 3 ? "won" : "fresh",
    custom: { tier: i < 3 ? "gold" : "silver" },
  }));
  await bodyOf(await reader.send("POST", "/api/v1/leads/bulk", { op: "create", items }));
  const query = { filter: { field: "custom.tier", op: "eq", value: "gold" } };
  await bodyOf(await reader.send("POST", "/api/v1/views", { name: "Gold", query }), 201);
  for (const [method, path, body, code] of [
    ["PUT", "statuses", { statuses: ["other"] }, "status_used"],
    ["PATCH", "fields/tier", { type: "enum", options: ["gold"] }, "values_do_not_fit"],
    ["DELETE", "fields/tier", undefined, "field_used"],
  ] as const) {
    for (const [key, knows] of [
      [reader, true],
      [keeper, false],
    ] as const) {
      const answer = await key.send(method, `/api/v1/${path}`, body);
      const { error } = await bodyOf<{ error: { code: string } }>(answer, 409);
      assert.equal(error.code, code);
      const text = JSON.stringify(error);
      assert.equal(STORED.test(text), knows, text);
    }
  }
});
