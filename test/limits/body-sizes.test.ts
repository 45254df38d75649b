import assert from "node:assert/strict";
import { test } from "node:test";
import { COMPANIES } from "../datasets/support/dataset.ts";
import { raw } from "../oauth/support/raw.ts";
import { world } from "../world.ts";

const KB = 1_024;
const MB = 1_024 * KB;

/** The size that the documentation gives for each body. */
const SIZES: Record<string, number> = {
  "/api/leads/query/": 256 * KB,
  "/api/v1/leads": 256 * KB,
  "/api/v1/leads/bulk": 4 * MB,
  "/api/v1/events/batch": 10 * MB,
  "/api/datasets/companies/rows/": 8 * MB,
  "/api/v1/datasets/companies/rows/batch": 8 * MB,
};

test("a body may have the size that is documented for its endpoint, and no byte more", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write"]);
  await key.send("POST", "/api/v1/datasets", COMPANIES);
  const headers = [
    ["Authorization", `Bearer ${key.text}`],
    ["Content-Type", "application/json"],
  ] as const;
  for (const [path, size] of Object.entries(SIZES)) {
    const sent = async (bytes: number) => {
      const body = Buffer.alloc(bytes, " ");
      body.write('{"x":1');
      body.write("}", bytes - 1);
      const { status, text } = await raw(the.baseUrl + path, "POST", headers, body);
      return [status, text.includes('"too_large"')];
    };
    assert.deepEqual(await sent(size), [400, false], path);
    assert.deepEqual(await sent(size + 1), [413, true], path);
  }
});
