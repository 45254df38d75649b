import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyActor, World } from "../../world.ts";
import { world } from "../../world.ts";
import { acted, sums, uploaded } from "../support/uploading.ts";

async function failed(the: World, key: KeyActor, file: string, type: string): Promise<[number[], string]> {
  const made = await uploaded(the, key, file, { type });
  const { dry_run } = await acted(key, made.id, "dry-run");
  const back = await key.send("GET", `/api/v1/imports/${made.id}/errors.csv`);
  return [sums(dry_run ?? {}), await back.text()];
}

test("a row with too many cells is returned with all of them, and fails again unchanged", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const file = "external_id,name\n1,Ana\n2,Bo,Acme,Rio\n3,Cy\n";
  const [counts, back] = await failed(the, key, file, "text/csv");
  assert.deepEqual(counts, [3, 2, 0, 0, 0, 1]);
  const [, row] = back.split("\r\n");
  assert.equal(row, "2,Bo,3,,column_count,has 4 cells but the header has 2,Acme,Rio");
  const [again, twice] = await failed(the, key, back, "text/csv");
  assert.deepEqual(again, [1, 0, 0, 0, 0, 1]);
  assert.match(twice, /column_count.*,Acme,Rio\r\n$/s);
});

test("a line that is not JSON is returned verbatim, and does not affect the columns", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const file = '{"name":"Ana","external_id":"1"}\n{"name": broken}\n[1]\n';
  const made = await uploaded(the, key, file, { type: "application/x-ndjson" });
  assert.deepEqual((made.columns[0] as unknown as { samples: string[] }).samples, ["Ana"]);
  const [counts, back] = await failed(the, key, file, "application/x-ndjson");
  assert.deepEqual(counts, [3, 1, 0, 0, 0, 2]);
  assert.deepEqual(back.split("\r\n").slice(1, 3), [
    ',,2,,not_json,is not valid JSON,"{""name"": broken}"',
    ",,3,,not_an_object,is not a JSON object,[1]",
  ]);
  assert.deepEqual((await failed(the, key, back, "text/csv"))[0], [2, 0, 0, 0, 0, 2]);
});
