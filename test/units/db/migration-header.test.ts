import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { headerOf } from "../../../src/db/migration/header.ts";
import { isOlder } from "../../../src/db/migration/release.ts";
import { statementsOf } from "../../../src/db/migration/without-transaction.ts";

test("every migration from 0062 on says whether the release before keeps working", () => {
  for (const name of readdirSync("db/migrations").filter((file) => file.endsWith(".sql") && file >= "0062"))
    assert.ok(headerOf(readFileSync(`db/migrations/${name}`, "utf8")), name);
});

test("a migration without a transaction has only statements on indexes that can be applied again", () => {
  for (const name of readdirSync("db/migrations").filter((file) => file.endsWith(".sql") && file >= "0062")) {
    const sql = readFileSync(`db/migrations/${name}`, "utf8");
    const header = headerOf(sql);
    if (header?.kind === "expand" && !header.transaction) assert.ok(statementsOf({ name, sql }).length > 0);
  }
  const create = "CREATE INDEX CONCURRENTLY IF NOT EXISTS probe_a\n  ON store.lead (project_id)";
  const drop = "DROP INDEX CONCURRENTLY IF EXISTS store.probe_a";
  assert.deepEqual(statementsOf({ name: "x", sql: `-- Why; so.\n${create};\n${drop};\n` }), [create, drop]);
  for (const sql of ["CREATE INDEX a ON lead (id);", "UPDATE lead SET score = 0;", "DROP TABLE lead;"])
    assert.throws(() => statementsOf({ name: "x", sql }), /each statement must be/);
});

test("releases are compared by their numbers", () => {
  assert.ok(isOlder("0.9.0", "0.10.0"));
  assert.ok(isOlder("0.3.1", "1.0.0"));
  for (const newer of ["0.3.0", "0.3.1", "1.0.0", "0.3.0-rc.1"]) assert.ok(!isOlder(newer, "0.3.0"), newer);
});

test("a header is read from the first comment only, and says one thing", () => {
  assert.deepEqual(headerOf("-- Why.\n-- expand\n\nSELECT 1;"), { kind: "expand", transaction: true });
  assert.deepEqual(headerOf("-- contract, needs 0.3.0\nSELECT 1;"), { kind: "contract", needs: "0.3.0" });
  for (const wrong of ["", "SELECT 1;\n-- expand", "-- contract", "-- contract, needs 1.2", "-- expands"])
    assert.equal(headerOf(wrong), undefined, wrong);
  assert.equal(headerOf("-- expand\n-- contract, needs 0.3.0\n"), undefined);
  const apart = "-- without a transaction\n";
  assert.deepEqual(headerOf(`-- expand\n${apart}`), { kind: "expand", transaction: false });
  assert.equal(headerOf(`-- contract, needs 0.3.0\n${apart}`), undefined);
});
