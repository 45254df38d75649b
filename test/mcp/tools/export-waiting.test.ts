import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { world } from "../../world.ts";
import { Assistant } from "../support/assistant.ts";

test("export_leads returns the export that it started, even if its progress cannot be read", async () => {
  const limits = JSON.stringify({ fast: 0.1, query: 0.3 });
  await using the = await world({ env: { ROLE: "web", TIME_LIMITS: limits } });
  const assistant = await Assistant.authorized(the);
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  const calling = assistant.call("export_leads");
  while ((await the.sql("SELECT FROM store.job")).length === 0) await sleep(20);
  await holder.query("BEGIN; LOCK TABLE store.job IN ACCESS EXCLUSIVE MODE");
  const { isError, structuredContent } = await calling;
  await holder.end();
  assert.equal(isError, undefined);
  const [job] = await the.sql<{ id: string }>("SELECT id FROM store.job");
  assert.deepEqual([structuredContent.export_id, structuredContent.state], [job?.id, "waiting"]);
});
