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

const touches = async (the: World) =>
  (await leadsOf(the)).map(({ first_touch }) => (first_touch as Date).toISOString());

test("a moment of the years 1 to 99 comes back from an export as it was", async () => {
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

test("a moment outside of the years 1 to 9999 fails its row alone, in a dry run, a commit and a dataset", async () => {
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

test("calendars and events that leave the years 1 to 9999 fail their row alone", async () => {
  await using the = await world();
  const calendar = { field: "first_touch", day: "day", month: "month", first_year: 9999 };
  const columns = { external_id: "external_id" };
  const late = await importText(the, "external_id,day,month\n1,31,dec\n2,1,jan\n", { columns, calendar });
  assert.deepEqual([countsOf(late), late.failures[0]?.code], [[2, 1, 0, 0, 0, 1], "not_a_date"]);
  const early = await importText(the, "external_id,at,calls\n3,2026-01-01,1\n4,2026-01-01,900\n", {
    columns: { ...columns, at: "last_touch" },
    events: [
      {
        type: "call.made",
        title: "Call",
        key: "{external_id}-{n}",
        times: "calls",
        last: "last_touch",
        hours_apart: 1e9,
      },
    ],
  });
  assert.deepEqual([countsOf(early), early.failures[0]?.code], [[2, 1, 0, 0, 0, 1], "not_a_datetime"]);
});

test("a day without a time begins at midnight of the project's zone, also where clocks leave midnight out", async () => {
  await using the = await world();
  await zone(the, "America/Sao_Paulo");
  const rows = [
    "2026-01-13",
    "2018-11-04",
    "2026-01-13 00:00",
    "13/01/2026",
    "0050-01-01",
    "2026-01-13T00:00:00Z",
  ];
  await importText(the, `external_id,first_touch\n${rows.map((row, i) => `${i},${row}`).join("\n")}\n`);
  assert.deepEqual(await touches(the), [
    "2026-01-13T03:00:00.000Z",
    "2018-11-04T03:00:00.000Z",
    "2026-01-13T03:00:00.000Z",
    "2026-01-13T03:00:00.000Z",
    "0050-01-01T03:06:28.000Z",
    "2026-01-13T00:00:00.000Z",
  ]);
});
