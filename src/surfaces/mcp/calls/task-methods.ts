import { checkToken } from "../../../domain/grants/check-token.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { mustDeclare, TASKS } from "../protocol/extensions.ts";
import type { Tasks } from "../protocol/registry.ts";
import { answerMembers, complete, resultOf } from "../protocol/result.ts";
import { badParams } from "../protocol/rpc-error.ts";
import { membersOf } from "../protocol/rpc-text.ts";
import { type Task, taskMembers } from "../protocol/tasks.ts";
import { LiveCall } from "./live-call.ts";
import type { Method } from "./method.ts";
import { protocolFailure } from "./protocol-failure.ts";

/** The methods of the extension; they look tasks up wherever these run, so any instance can answer. */
export const taskMethods = (tasks: Tasks): Record<string, Method> => ({
  "tasks/get": onTask(async (exchange, call, id) => {
    const task = found(await tasks.get(call, id));
    const { result } = task;
    const members = membersOf(taskMembers(task));
    if (result === undefined) return complete(exchange, members);
    const failed = result.isError ? `,"isError":true` : "";
    return complete(
      exchange,
      `${members},"result":${resultOf(answerMembers(result.answer, result.links) + failed, true, exchange.catalogue.signature)}`,
    );
  }),
  // No task waits for answers: whatever has to be asked is asked before it starts.
  "tasks/update": onTask(async (exchange, call, id) => {
    found(await tasks.get(call, id));
    return complete(exchange, "");
  }),
  "tasks/cancel": onTask(async (exchange, call, id) => {
    if (!(await tasks.cancel(call, id))) throw unknownTask();
    return complete(exchange, "");
  }),
});

/** The result of a call whose work goes on as this task; undefined if it has ended by now, so that its answer says all. */
export async function taskResult(
  exchange: Exchange,
  params: Record<string, unknown>,
  tasks: Tasks,
  id: string,
): Promise<string | undefined> {
  const call = new LiveCall(exchange, params);
  try {
    const task = await tasks.get(call, id);
    if (task?.status !== "working") return undefined;
    return `{"resultType":"task",${membersOf(taskMembers(task))},${exchange.catalogue.signature}}`;
  } finally {
    call.done();
  }
}

function onTask(work: (exchange: Exchange, call: LiveCall, id: string) => Promise<string>): Method {
  return async (exchange, params) => {
    mustDeclare(params, TASKS);
    const { taskId } = params;
    if (typeof taskId !== "string") throw badParams("taskId must be a string");
    const call = new LiveCall(exchange, params);
    try {
      return await work(exchange, call, taskId);
    } catch (error) {
      await checkToken(exchange.service, exchange.caller);
      throw protocolFailure(error, exchange);
    } finally {
      call.done();
    }
  };
}

function found(task: Task | undefined): Task {
  if (task === undefined) throw unknownTask();
  return task;
}

const unknownTask = () => badParams("there is no such task; it may have expired");
