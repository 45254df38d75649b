import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { headerOf } from "../../../src/db/migration/header.ts";

test("every migration from 0062 on says whether the release before keeps working", () => {
  for (const name of readdirSync("db/migrations").filter((file) => file.endsWith(".sql") && file >= "0062"))
    assert.ok(headerOf(readFileSync(`db/migrations/${name}`, "utf8")), name);
});

test("a header is read from the first comment only, and says one thing", () => {
  assert.deepEqual(headerOf("-- Why.\n-- expand\n\nSELECT 1;"), { kind: "expand" });
  assert.deepEqual(headerOf("-- contract, needs 0.3.0\nSELECT 1;"), { kind: "contract", needs: "0.3.0" });
  for (const wrong of ["", "SELECT 1;\n-- expand", "-- contract", "-- contract, needs 1.2", "-- expands"])
    assert.equal(headerOf(wrong), undefined, wrong);
  assert.equal(headerOf("-- expand\n-- contract, needs 0.3.0\n"), undefined);
});
