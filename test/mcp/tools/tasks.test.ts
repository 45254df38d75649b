import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../../large.ts";
import { world } from "../../world.ts";
import { Assistant, addLead, answerOf, codeOf, META } from "../support/assistant.ts";

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const declaring = (more: object = {}) => ({
  ...META,
  "io.modelcontextprotocol/clientCapabilities": { ...TASKS, ...more },
});

/** Sends a request about a task from a client that follows tasks. */
const about = (assistant: Assistant, method: string, taskId: string, more: object = {}) =>
  assistant.ask(method, { taskId, _meta: declaring(), ...more }, { "Mcp-Name": taskId });

async function ended(assistant: Assistant, taskId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { result } = await answerOf(await about(assistant, "tasks/get", taskId));
    if (result.status !== "working") return result;
    await sleep(100);
  }
}

large(
  "an export that takes a while is a task for clients that follow tasks, and stops when one cancels it",
  async () => {
    await using the = await world({ env: { ROLE: "web" } });
    await addLead(the, { name: "Nadia" });
    const assistant = await Assistant.authorized(the);
    const call = { name: "export_leads", arguments: {} };
    const { result } = await answerOf(await assistant.ask("tools/call", { ...call, _meta: declaring() }));
    const { taskId, ...started } = result as { taskId: string };
    const { createdAt, lastUpdatedAt, _meta: _, ...rest } = started as Record<string, unknown>;
    assert.deepEqual([typeof createdAt, lastUpdatedAt], ["string", createdAt]);
    assert.deepEqual(rest, {
      ...{ resultType: "task", status: "working", statusMessage: "waiting: 0 leads" },
      ...{ ttlMs: null, pollIntervalMs: 2_000 },
    });
    const { result: found } = await answerOf(await about(assistant, "tasks/get", taskId));
    assert.deepEqual([found.resultType, found.taskId, found.status], ["complete", taskId, "working"]);

    // Others: a client that does not follow tasks, a header that names another task, another project's application, no task.
    assert.deepEqual(await codeOf(await assistant.ask("tasks/get", { taskId }, { "Mcp-Name": taskId })), [
      ...[400, -32_021],
    ]);
    const misnamed = await assistant.ask(
      "tasks/get",
      { taskId, _meta: declaring() },
      { "Mcp-Name": "exp_x" },
    );
    assert.deepEqual(await codeOf(misnamed), [400, -32_020]);
    const { result: plain } = await answerOf(await assistant.ask("tools/call", call));
    assert.equal((plain.structuredContent as { state: string }).state, "waiting");
    for (const unknown of ["exp_01kagx3m5w8q2r7t9v4c6d1f0h", "job_01kagx3m5w8q2r7t9v4c6d1f0h", "nothing"])
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
        assert.deepEqual(
          await codeOf(await about(assistant, method, unknown, { inputResponses: {} })),
          [200, -32_602],
          `${method} of ${unknown}`,
        );

    for (const _twice of [1, 2]) {
      const { result: cancelled } = await answerOf(await about(assistant, "tasks/cancel", taskId));
      assert.deepEqual(Object.keys(cancelled), ["resultType", "_meta"]);
    }
    assert.equal((await ended(assistant, taskId)).status, "cancelled");
  },
);

test("a change of more than 10,000 leads and its undo are tasks, which end with what a person can undo", async () => {
  await using the = await world({ alone: true });
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name)
     SELECT $1, 'lead_' || n, 'Nadia ' || n FROM generate_series(1, 10001) AS n`,
    [the.project.id],
  );
  const assistant = await Assistant.authorized(the);
  const args = { search: "nadia", action: "set", set: { score: 9 }, dry_run: false, expected_count: 10_001 };
  const call = {
    ...{ name: "bulk_update_leads", arguments: args },
    _meta: declaring({ elicitation: { form: {} } }),
  };
  const { result: asked } = await answerOf(await assistant.ask("tools/call", call));
  const [question = ""] = Object.keys(asked.inputRequests as object);
  const inputResponses = { [question]: { action: "accept", content: { confirm: true } } };
  const { requestState } = asked;
  const { result: started } = await answerOf(
    await assistant.ask("tools/call", { ...call, requestState, inputResponses }),
  );
  assert.deepEqual([started.resultType, started.status], ["task", "working"]);
  const done = await ended(assistant, String(started.taskId));
  const { isError, structuredContent } = done.result as {
    isError?: boolean;
    structuredContent: { job: { changed: number }; change_id: string };
  };
  assert.deepEqual([done.status, isError, structuredContent.job.changed], ["completed", undefined, 10_001]);

  const undo = { name: "undo", arguments: { change_id: structuredContent.change_id }, _meta: declaring() };
  const { result: undoing } = await answerOf(await assistant.ask("tools/call", undo));
  assert.equal(undoing.resultType, "task");
  assert.equal((await ended(assistant, String(undoing.taskId))).status, "completed");
  const [left] = await the.sql<{ count: string }>("SELECT count(*) FROM store.lead WHERE score = 9");
  assert.equal(Number(left?.count), 0);
});
