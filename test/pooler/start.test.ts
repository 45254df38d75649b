import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDatabase } from "../template.ts";
import { world } from "../world.ts";
import { bouncerTo, pooledWorld, withoutPgBouncer as skip } from "./support/pgbouncer.ts";

test("behind PgBouncer without a direct URL, the start fails and says what to set", { skip }, async () => {
  const database = await freshDatabase();
  for (const settings of [{}, { ignore_startup_parameters: "options,extra_float_digits" }]) {
    await using bouncer = await bouncerTo(database.url, settings);
    await assert.rejects(world({ env: { DATABASE_URL: bouncer.url } }), /Set DATABASE_DIRECT_URL as well/);
  }
  await database.drop();
});

test("a direct URL that leads to PgBouncer too, or to another database, stops the start", {
  skip,
}, async () => {
  const [database, other] = [await freshDatabase(), await freshDatabase()];
  await using bouncer = await bouncerTo(database.url);
  const started = (direct: string) =>
    world({ env: { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: direct } });
  await assert.rejects(started(bouncer.url), /DATABASE_DIRECT_URL leads to a connection pooler/);
  await assert.rejects(started(other.url), /lead to different databases/);
  await Promise.all([database.drop(), other.drop()]);
});

test("a pooler that changes connections within a transaction is refused at the start", { skip }, async () => {
  await assert.rejects(pooledWorld({ pool_mode: "statement" }), /statement pooling mode/);
});
