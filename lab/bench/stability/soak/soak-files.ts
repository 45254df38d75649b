import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, type HttpAnswer } from "../../../../test/processes/http-call.ts";
import type { SoakTarget, Tally } from "./soak-target.ts";

const ROWS = 500;
const SLOW_READ_MS = 4_000;

/** Streams exports, has workers make them, imports files and reads slowly, one after another, until it is stopped. */
export async function moveFiles(target: SoakTarget, tally: Tally, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const acts = [streamed, made, imported, slowlyRead];
  for (let n = 0; !signal.aborted; n += 1) {
    await acts[n % acts.length]?.(target, tally, agent);
    await sleep(500, undefined, { signal }).catch(() => undefined);
  }
  agent.destroy();
}

async function streamed(target: SoakTarget, tally: Tally, agent: Agent): Promise<void> {
  const body = JSON.stringify({ project_id: target.projectId, limit: 5_000 });
  const { status } = await call(target, agent, "/api/leads/export/", body);
  tally.count("streamed export", status === 200, () => String(status));
}

async function made(target: SoakTarget, tally: Tally, agent: Agent): Promise<void> {
  const begun = await call(target, agent, "/api/v1/exports", '{"format":"csv","limit":5000}');
  const id = begun.status === 202 ? (JSON.parse(begun.body) as { id: string }).id : undefined;
  const end = id === undefined ? begun.body : await ended(target, agent, `/api/v1/exports/${id}`);
  const file = id === undefined ? begun : await call(target, agent, `/api/v1/exports/${id}/file`);
  tally.count("export job", end === "done" && file.status === 200, () => `${end} ${file.status}`);
}

/** The same people each time, so that the project does not grow. */
async function imported(target: SoakTarget, tally: Tally, agent: Agent): Promise<void> {
  const turn = Math.random().toString(36).slice(2);
  const rows = Array.from({ length: ROWS }, (_, i) => `Person ${turn},soak-${i}@example.org`);
  const type = { "Content-Type": "text/csv" };
  const sent = await call(target, agent, "/api/v1/imports", ["name,email", ...rows].join("\n"), type);
  const path =
    sent.status === 201 ? `/api/v1/imports/${(JSON.parse(sent.body) as { id: string }).id}` : undefined;
  const begun = path === undefined ? sent : await call(target, agent, `${path}/commit`, "{}");
  const end = path === undefined || begun.status !== 202 ? begun.body : await ended(target, agent, path);
  tally.count("import", end === "done", () => end);
}

/** Reads the beginning of an export, waits and leaves. */
async function slowlyRead({ ports, projectId, key }: SoakTarget, tally: Tally): Promise<void> {
  const agent = new Agent();
  const body = JSON.stringify({ project_id: projectId });
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const status = await new Promise<number>((resolve) => {
    const sent = request(
      { host: "127.0.0.1", port: ports.api, method: "POST", path: "/api/leads/export/", agent, headers },
      (answer) => {
        answer.on("error", () => undefined);
        answer.once("data", () => answer.pause());
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.once("error", () => resolve(0));
    sent.end(body);
  });
  await sleep(SLOW_READ_MS);
  agent.destroy();
  tally.count("slow reader", status === 200, () => String(status));
}

/** Returns the state in which a job or an import ends. */
async function ended(target: SoakTarget, agent: Agent, path: string): Promise<string> {
  for (;;) {
    const { status, body } = await call(target, agent, path);
    if (status !== 200) return `${status} ${body}`;
    const { state } = JSON.parse(body) as { state: string };
    if (!["checking", "waiting", "running"].includes(state)) return state;
    await sleep(100);
  }
}

const call = (
  { ports, key }: SoakTarget,
  agent: Agent,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> =>
  ask({
    ...{ agent, port: ports.api, path, headers: { Authorization: `Bearer ${key}`, ...headers } },
    ...(body === undefined ? {} : { body }),
  });
