import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../../test/processes/http-call.ts";
import { PATCHED } from "../writes/write-data.ts";

interface PacedWrites {
  port: number;
  key: string;
  /** The leads that are changed, in turn. */
  ids: readonly string[];
  perSecond: number;
  random(): number;
}

/** The columns of leads that a project has without custom fields. */
const FIELDS = PATCHED.filter(({ name }) => !name.startsWith("custom.") && name !== "owner_id");

/** Changes one field of this many leads a second until it is stopped, also while earlier calls are not answered yet. */
export function pacedWrites({ port, key, ids, perSecond, random }: PacedWrites): {
  /** Returns how many were sent a second, and how many were not answered with 200. */
  stop(): Promise<{ perSecond: number; failed: number }>;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const headers = { Authorization: `Bearer ${key}` };
  const since = performance.now();
  const calls: Promise<boolean>[] = [];
  let stopped = false;
  const send = async () => {
    const [id, field] = [ids[calls.length % ids.length], FIELDS[Math.floor(random() * FIELDS.length)]];
    const body = JSON.stringify(field?.json(Math.floor(random() * 1_000_000)));
    const answer = await ask({ agent, port, method: "PATCH", path: `/api/v1/leads/${id}`, headers, body });
    return answer.status === 200;
  };
  const running = (async () => {
    while (!stopped) {
      const due = ((performance.now() - since) / 1_000) * perSecond;
      while (calls.length < due) calls.push(send());
      await sleep(2);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
      const seconds = (performance.now() - since) / 1_000;
      const answered = await Promise.all(calls);
      agent.destroy();
      return { perSecond: calls.length / seconds, failed: answered.filter((isDone) => !isDone).length };
    },
  };
}
