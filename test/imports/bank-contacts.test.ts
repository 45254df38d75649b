import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { BANK_FILE, BANK_MAPPING, SOME_CONTACTS } from "./support/bank-file.ts";
import { countsOf, importText } from "./support/importing.ts";

large(
  "45,211 real contacts load as a plain count of the file expects, and a second import changes nothing",
  async (t) => {
    await using the = await world();
    const lines = readFileSync(BANK_FILE, "utf8").trimEnd().split("\n").slice(1);
    const cells = lines.map((line) => line.replaceAll('"', "").trim().split(";"));
    const calls = cells.reduce((sum, row) => sum + Number(row[12]), 0);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    const report = await importText(the, readFileSync(BANK_FILE), BANK_MAPPING);
    t.diagnostic(`${Math.round((report.rows * 1_000) / (performance.now() - start))} rows/s`);
    t.diagnostic(
      `event loop stalls: p99 ${Math.round(delay.percentile(99) / 1e6)} ms, ${Math.round(delay.max / 1e6)} at most`,
    );
    assert.deepEqual(countsOf(report), [45_211, 45_211, 0, 0, 0, 0]);

    const stored = async () => {
      const [row] = await the.sql<Record<string, number>>(
        `SELECT count(*)::int AS leads, count(*) FILTER (WHERE status = 'won')::int AS won,
         count(*) FILTER (WHERE custom->>'phone_type' = 'cellular')::int AS cellular,
         count(custom->'previous_outcome')::int AS outcomes, sum((custom->>'balance')::int)::int AS balance,
         (SELECT count(*)::int FROM store.event e WHERE e.project_id = $1 AND type = 'call.made') AS calls
       FROM store.lead WHERE project_id = $1`,
        [the.project.id],
      );
      return row;
    };
    const counted = {
      leads: cells.length,
      won: cells.filter((row) => row[16] === "yes").length,
      cellular: cells.filter((row) => row[8] === "cellular").length,
      outcomes: cells.filter((row) => row[15] !== "unknown").length,
      balance: cells.reduce((sum, row) => sum + Number(row[5]), 0),
      calls,
    };
    assert.deepEqual({ ...(await stored()) }, counted);
    const again = await importText(the, SOME_CONTACTS.text, BANK_MAPPING);
    assert.deepEqual(countsOf(again), [SOME_CONTACTS.rows, 0, 0, SOME_CONTACTS.rows, 0, 0]);
    assert.deepEqual({ ...(await stored()) }, counted);
    const [span] = await the.sql<{ first: Date; last: Date }>(
      "SELECT min(created_at) AS first, max(last_activity_at) AS last FROM store.lead WHERE project_id = $1",
      [the.project.id],
    );
    assert.deepEqual([span?.first.getUTCFullYear(), span?.last.toISOString().slice(0, 7)], [2008, "2010-11"]);
  },
);
