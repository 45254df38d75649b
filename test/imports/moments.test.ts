import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { COMPANIES } from "../datasets/support/dataset.ts";
import { IMPORTER, imported } from "../datasets/support/importing.ts";
import { type World, world } from "../world.ts";
import { countsOf, importText, leadsOf } from "./support/importing.ts";
import { acted, sums, uploaded } from "./support/uploading.ts";

const zone = (the: World, timezone: string) =>
  the.sql("UPDATE store.project SET timezone = $2 WHERE project_id = $1", [the.project.id, timezone]);

test("a timestamp of the years 1 to 99 returns unchanged from an export", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  for (const moment of ["0001-01-01T00:00:00Z", "0099-12-31T23:59:59Z", "9999-12-31T23:59:59Z"])
    await bodyOf(await key.send("POST", "/api/v1/leads", { name: "Old", first_touch: moment }), 201);
  const before = await leadsOf(the);
  const file = await key.send("POST", "/api/leads/export/", { project_id: the.project.id });
  const made = await uploaded(the, key, await file.text());
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [3, 0, 0, 3, 0, 0]);
  assert.deepEqual(await leadsOf(the), before);
});

test("a timestamp outside of the years 1 to 9999 fails only its row, in a dry run, a commit and a dataset", async () => {
  await using the = await world();
  await zone(the, "America/Sao_Paulo");
  const key = await the.key(["leads:read", "leads:write", ...IMPORTER]);
  const file = [
    "external_id,first_touch",
    "1,9999-12-31T23:59:59-12:00",
    "2,9999-12-31 23:59:59",
    "3,0001-01-01T00:00:00+12:00",
    "4,0001-01-01T00:00:00Z",
    "",
  ].join("\n");
  const made = await uploaded(the, key, file);
  const dry = await acted(key, made.id, "dry-run");
  assert.deepEqual(sums(dry.dry_run ?? {}), [4, 1, 0, 0, 0, 3]);
  const report = await importText(the, file);
  assert.deepEqual(countsOf(report), [4, 1, 0, 0, 0, 3]);
  assert.deepEqual([...new Set(report.failures.map(({ code }) => code))], ["not_a_datetime"]);
  await bodyOf(await key.send("POST", "/api/v1/datasets", COMPANIES), 201);
  const rows = "domain,name,seen\na.example,A,9999-12-31T23:59:59-12:00\nb.example,B,2026-01-01\n";
  assert.deepEqual(sums(await imported(the, key, rows)), [2, 1, 0, 0, 0, 1]);
});
