import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sweepDatasets } from "../../src/domain/datasets/sweep-datasets.ts";
import { make, UNLIMITED, written } from "../datasets/support/dataset.ts";
import { uploaded } from "../imports/support/uploading.ts";
import { world } from "../world.ts";
import { erasePerson, eraser, tablesWith } from "./support/erasing.ts";

const EMAIL = "rita@locks.example";
const WAITING =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

test("an erasure and the sweep of a deleted dataset with rows of the person wait for each other, and both end", async () => {
  await using the = await world(UNLIMITED);
  const key = await eraser(the);
  const columns = [{ key: "mail", type: "email" }];
  await make(key, { key: "orders", columns, lead_link: { column: "mail", match: "email" } });
  await written(key, [{ mail: EMAIL }, { mail: "bo@locks.example" }], "insert", "orders");
  const { id } = await uploaded(the, key, "email\nbo@locks.example\n");
  await the.sql("UPDATE store.dataset SET deleted_at = now()");
  const waiters = async (count: number) => {
    while ((await the.sql(WAITING)).length < count) await sleep(10);
  };
  // The erasure has locked the dataset when it waits for the import.
  const held = await the.service.db.pool.connect();
  await held.query("BEGIN");
  await held.query("SELECT FROM store.import WHERE id = $1 FOR UPDATE", [id]);
  const erasing = erasePerson(key, { email: EMAIL, expected_leads: 0 });
  await waiters(1);
  const sweeping = sweepDatasets(the.service);
  await waiters(2);
  await held.query("COMMIT");
  held.release();
  const ended = await Promise.allSettled([erasing, sweeping]);
  assert.deepEqual(
    ended.map(({ status }) => status),
    ["fulfilled", "fulfilled"],
    JSON.stringify(ended),
  );
  assert.deepEqual(await tablesWith(the, EMAIL), []);
  assert.deepEqual(await the.sql("SELECT FROM store.dataset"), []);
});
