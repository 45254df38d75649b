import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { faultFinder } from "../../../src/domain/operation/input-faults.ts";
import { TASKS } from "../../../src/surfaces/mcp/protocol/extensions.ts";
import { isObject } from "../../../src/surfaces/mcp/protocol/message.ts";
import type { Tasks } from "../../../src/surfaces/mcp/protocol/registry.ts";
import { type Call, Content, Questions, type Tool } from "../../../src/surfaces/mcp/protocol/registry.ts";
import type { Task } from "../../../src/surfaces/mcp/protocol/tasks.ts";

// What the conformance suite expects of tools whose work goes on as a task.

const known = new Map<string, Task & { ends: number; answer: object; isError: boolean }>();

function start(seconds: number, answer: object, isError = false): { task: string } {
  const id = `task-${known.size + 1}`;
  const now = new Date();
  known.set(id, {
    ...{ id, status: "working", message: "running", answer, isError },
    ...{ createdAt: now.toISOString(), updatedAt: now.toISOString(), until: null },
    ends: now.getTime() + seconds * 1_000,
  });
  return { task: id };
}

/** Tasks in the memory of the test's own server. */
export const FIXTURE_TASKS: Tasks = {
  async get(_call, id) {
    const task = known.get(id);
    if (task === undefined) return undefined;
    const { ends, answer, isError, ...rest } = task;
    if (task.status === "cancelled" || Date.now() < ends) return rest;
    return { ...rest, status: "completed", result: { answer, links: [], isError } };
  },
  async cancel(_call, id) {
    const task = known.get(id);
    if (task !== undefined && Date.now() < task.ends) task.status = "cancelled";
    return task !== undefined;
  },
};

const follows = ({ capabilities: { extensions } }: Call): boolean =>
  isObject(extensions) && isObject(extensions[TASKS]);

const taskTool = (
  name: string,
  run: Tool["run"],
  input = Type.Object({}) as ReturnType<typeof Type.Object>,
): Tool => ({
  name,
  title: name,
  description: `A fixture: ${name}.`,
  input,
  needs: "leads:read",
  faults: faultFinder(input),
  run,
  taskOf: (answer) => ("task" in answer ? String(answer.task) : undefined),
});

const says = (text: string) => new Content([{ type: "text", text }]);

export const TASK_TOOLS: Tool[] = [
  taskTool(
    "greet",
    async (_call, args) => says(`Hello, ${(args as { name: string }).name}!`),
    Type.Object({ name: Type.String() }),
  ),
  taskTool(
    "slow_compute",
    async (call, args) => {
      const { seconds } = args as { seconds: number };
      if (follows(call)) return start(seconds, { computed: seconds });
      await sleep(seconds * 1_000);
      return says("computed");
    },
    Type.Object({ seconds: Type.Number(), label: Type.Optional(Type.String()) }),
  ),
  // The suite lets it answer at once; a task of ours never waits for an answer.
  taskTool("confirm_delete", async () => says("deleted")),
  taskTool("failing_job", async () => start(1, { failed: true }, true)),
  taskTool("test_tool_with_task", async ({ answers }) => {
    const { user_name: name } = answers;
    if (name !== undefined) return start(1, { hello: name.content?.name });
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    return new Questions({ user_name: { message: "What is your name?", schema } });
  }),
];
