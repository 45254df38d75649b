import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { serviceDoor } from "../../../src/db/pool/project-door.ts";
import { lockWaits } from "../../lock-waits.ts";
import { world } from "../../world.ts";
import { Assistant, addLead, answerOf, META } from "../support/assistant.ts";
import { messagesOf } from "../support/messages-of.ts";

const change = (count: number) => ({
  name: "bulk_update_leads",
  arguments: { search: "nadia", action: "set", set: { score: 9 }, dry_run: false, expected_count: count },
});

test("a large bulk change, to which its person agreed, reports its progress to clients that request it", async () => {
  await using the = await world();
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name)
     SELECT $1, 'lead_' || n, 'Nadia ' || n FROM generate_series(1, 2500) AS n`,
    [the.project.id],
  );
  const assistant = await Assistant.authorized(the);
  const able = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
  const call = { ...change(2_500), _meta: { ...META, ...able, progressToken: "p" } };
  const { result: asked } = await answerOf(await assistant.ask("tools/call", call));
  const [question = "", ...others] = Object.keys(asked.inputRequests as object);
  assert.deepEqual([question.replace(/_.*/, ""), others], ["approve", []]);
  const inputResponses = { [question]: { action: "accept", content: { confirm: true } } };
  const { requestState } = asked;
  const answer = await assistant.ask("tools/call", { ...call, requestState, inputResponses });
  const told: unknown[] = [];
  for await (const { params } of messagesOf(answer)) {
    const { progress, total } = (params ?? {}) as { progress?: number; total?: number };
    if (progress !== undefined) told.push([progress, total]);
  }
  assert.deepEqual(told, [
    [1_000, 2_500],
    [2_000, 2_500],
    [2_500, 2_500],
  ]);
});

test("an export reports its progress to clients that request it", async () => {
  await using the = await world();
  await addLead(the, { name: "Nadia" });
  await addLead(the, { name: "Tom" });
  const assistant = await Assistant.authorized(the);
  const _meta = { ...META, progressToken: "p" };
  const answer = await assistant.ask("tools/call", { name: "export_leads", arguments: {}, _meta });
  const told: unknown[] = [];
  let last: Record<string, unknown> = {};
  for await (const { params, result } of messagesOf(answer)) {
    const { progress, message } = (params ?? {}) as { progress?: number; message?: string };
    if (progress !== undefined) told.push([progress, message]);
    else last = (result as { structuredContent: Record<string, unknown> }).structuredContent;
  }
  const { state, leads: done } = last;
  assert.deepEqual(told.at(-1), [done, `${state}: ${done} leads`]);
});

test("a bulk change whose caller disconnects before it is done changes nothing", async () => {
  await using the = await world();
  const id = await addLead(the, { name: "Nadia" });
  const { url, token } = await Assistant.authorized(the);
  const leaving = new AbortController();
  await the.service.db.behind(serviceDoor(the.project.id)).transaction(async (tx) => {
    await tx.query("SELECT id FROM lead WHERE project_id = $1 AND id = $2 FOR UPDATE", [the.project.id, id]);
    const call = fetch(url, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "bulk_update_leads",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { ...change(1), _meta: META },
      }),
    });
    // Waits until the change is blocked by the locked lead.
    while ((await lockWaits(the)) === 0) await sleep(20);
    leaving.abort();
    await assert.rejects(call);
    await sleep(1_000);
  });
  await sleep(500);
  const [lead] = await the.sql<{ score: number | null; version: number }>(
    "SELECT score, version FROM store.lead WHERE id = $1",
    [id],
  );
  assert.deepEqual(lead, { score: null, version: 1 });
});
