import type { Agent } from "node:http";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type UsualProject, wordLists } from "../../../test/api/filters/support/usual-data.ts";
import type { Draw, Ground, UsualQuery } from "../../../test/api/filters/support/usual-queries.ts";
import { ask } from "../../../test/processes/http-call.ts";
import type { ServiceProcess } from "../../../test/processes/service-process.ts";
import type { BenchDatabase } from "../support/database.ts";

/** Asks the usual queries of one project over HTTP, on one connection. */
export interface Caller {
  project: UsualProject;
  ground: Ground;
  ask(path: string, body?: object): Promise<string>;
}

const PERMISSIONS = "leads:read,leads:write,datasets:read";

/** Returns a caller with a key of its own for the project. */
export async function callerOf(
  service: Pick<ServiceProcess, "baseUrl" | "command">,
  project: UsualProject,
  agent: Agent,
): Promise<Caller> {
  const port = Number(new URL(service.baseUrl).port);
  const words = ["--project", project.id, "--name", "bench", "--permissions", PERMISSIONS];
  const { key } = await service.command("key", "create", ...words);
  const headers = { Authorization: `Bearer ${key}` };
  const call = async (path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await ask({ agent, port, path, headers, ...sent });
    // A query that took too long is measured as long as it took.
    if (answer.status < 300 || answer.status === 503) return answer.body;
    throw new Error(`${path} was answered with ${answer.status}: ${answer.body}\n${sent.body ?? ""}`);
  };
  return { project, ask: call, ground: await groundOf(project, call) };
}

/** How often each query is asked before it is measured. */
export const LEARNING = 3;

/** Waits until the indexes of fields that the service makes are built. */
export async function built({ sql }: Pick<BenchDatabase, "sql">, say: (line: string) => void): Promise<void> {
  const began = performance.now();
  for (let left = 1; left > 0; await sleep(1_000)) {
    const [index] = await sql<{ left: number; all: number }>(
      "SELECT count(*) FILTER (WHERE built_at IS NULL)::int AS left, count(*)::int AS all FROM store.field_index",
    );
    left = index?.left ?? 0;
    if (left === 0)
      say(`${index?.all} indexes of fields, built in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  }
  for (const table of ["lead_order_text", "lead_order_number", "lead_order_moment", "lead_parts"])
    await sql(`VACUUM ANALYZE store.${table}`);
}

/** How long each call of a query takes, with new values each time. */
export async function times(caller: Caller, query: UsualQuery, draw: Draw, calls: number): Promise<number[]> {
  const measured: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const { path, body } = query.ask(draw, caller.ground);
    const began = performance.now();
    await caller.ask(path, body);
    measured.push(performance.now() - began);
  }
  return measured;
}

async function groundOf(project: UsualProject, call: Caller["ask"]): Promise<Ground> {
  const created = async (name: string, filter: object) => {
    const view = JSON.parse(await call("/api/v1/views", { name, query: { filter } })) as { id: string };
    return view.id;
  };
  const inner = await created("Bench, inner", {
    and: [
      { field: "status", op: "in", value: ["new", "contacted"] },
      { field: "score", op: "gte", value: 50 },
    ],
  });
  const outer = await created("Bench, outer", {
    and: [{ view: inner }, { field: "source", op: "neq", value: "ads" }],
  });
  return {
    project,
    words: await wordLists(),
    views: [outer, inner],
    searchCursor: await followed(call, project.leads * 0.9),
    feedCursor: nextOf(await call("/api/v1/events?limit=100")),
  };
}

/** Returns the cursor after this many leads, read as a client would, in the largest pages. */
async function followed(call: Caller["ask"], behind: number): Promise<string> {
  let cursor: string | undefined;
  for (let read = 0; read < behind; read += 500) {
    const body = { limit: 500, fields: ["id"], ...(cursor === undefined ? {} : { cursor }) };
    cursor = nextOf(await call("/api/v1/leads/search", body));
  }
  return cursor ?? "";
}

const nextOf = (body: string): string => (JSON.parse(body) as { next_cursor: string }).next_cursor;

/** The value below which this share of all is. */
export const at = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN;

/** The load averages of the machine. */
export const load = (): string =>
  loadavg()
    .map((each) => each.toFixed(1))
    .join(" ");
