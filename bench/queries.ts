import { Agent } from "node:http";
import { loadavg } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../test/api/support/random-filter.ts";
import { type BenchDatabase, benchDatabase } from "./support/database.ts";
import { ask } from "./support/http-call.ts";
import { startService } from "./support/service-process.ts";
import { prepareUsual, type UsualProject, wordLists } from "./usual/usual-data.ts";
import { Draw, type Ground, USUAL, type UsualQuery } from "./usual/usual-queries.ts";

/** What a page and a figure may take in the largest project at the median, and any query at its slowest, in milliseconds. */
const GOALS = { page: 100, figure: 1_000, slowest: 3_000 };
/** How much longer pages may take in the largest project than in the smallest. */
const GROWTH = 1.5;
/** How often each query is asked before. */
const LEARNING = 3;
/** Below this, growth is noise. */
const NOISE_MS = 5;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Caller {
  project: UsualProject;
  ground: Ground;
  ask(path: string, body?: object): Promise<string>;
}

interface Options {
  fresh: boolean;
  seed: number;
  rounds: number;
  sizes: readonly number[];
  only: string;
}

/**
 * Measures the usual queries over HTTP, on one connection, in turn in projects of these sizes, with random values. Before
 * that, every query is asked a few times, and what the service then builds is waited for.
 */
export async function queries({ seed, rounds, sizes, only, fresh }: Options): Promise<void> {
  await using database = await benchDatabase({ fresh, folder: "data/bench-usual" });
  const projects = await prepareUsual(
    database,
    say,
    sizes.toSorted((a, b) => a - b),
  );
  await using service = await startService(database.url);
  const port = Number(new URL(service.baseUrl).port);
  const callers = await Promise.all(
    projects.map(async (project): Promise<Caller> => {
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
    }),
  );
  const asked = USUAL.filter(({ name }) => name.includes(only));
  say(`seed ${seed}, ${rounds} draws of each query and size; load of the machine before: ${load()}`);
  const draw = new Draw(randomFrom(seed));
  for (const caller of callers) for (const query of asked) await times(caller, query, draw, LEARNING);
  await built(database);
  for (const caller of callers) for (const query of asked) await times(caller, query, draw, LEARNING);
  say(
    `| query, p50 / p95 in ms | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} | p50 grows |`,
  );
  say(`|---|${sizes.map(() => "---|").join("")}---|`);
  const missed: string[] = [];
  for (const query of asked) {
    const measured: number[][] = callers.map(() => []);
    for (let round = 0; round < rounds; round += 1)
      for (const [i, caller] of callers.entries())
        measured[i]?.push(...(await times(caller, query, draw, 1)));
    const [smallest, largest] = [measured[0] ?? [], measured.at(-1) ?? []];
    const growth = at(largest, 0.5) / at(smallest, 0.5);
    const cells = measured.map((each) => `${at(each, 0.5).toFixed(1)} / ${at(each, 0.95).toFixed(1)}`);
    say(`| ${query.name} | ${cells.join(" | ")} | ${growth.toFixed(2)} |`);
    const grows = query.kind === "page" && growth > GROWTH && at(largest, 0.5) > NOISE_MS;
    if (at(largest, 0.5) > GOALS[query.kind]) missed.push(`${query.name}: ${at(largest, 0.5).toFixed(0)} ms`);
    else if (at(largest, 0.99) > GOALS.slowest)
      missed.push(`${query.name}: slowest ${at(largest, 0.99).toFixed(0)} ms`);
    else if (grows) missed.push(`${query.name}: grows ${growth.toFixed(1)} times`);
  }
  say(`load of the machine after: ${load()}`);
  say(
    `${asked.length} queries; ${missed.length} missed a goal${missed.length === 0 ? "" : `: ${missed.join("; ")}`}`,
  );
  agent.destroy();
}

/** Waits until the indexes of fields that the service makes are built. */
async function built({ sql }: BenchDatabase): Promise<void> {
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

const PERMISSIONS = "leads:read,leads:write,datasets:read";

/** How long each call of a query takes, with new values each time. */
async function times(caller: Caller, query: UsualQuery, draw: Draw, calls: number): Promise<number[]> {
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

const at = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN;

const load = (): string =>
  loadavg()
    .map((each) => each.toFixed(1))
    .join(" ");
