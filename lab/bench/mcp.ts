import { fork } from "node:child_process";
import process from "node:process";
import { prepareGround, prepareTokens } from "../../test/oauth/support/inserted-grants.ts";
import { SECRET_KEY } from "../../test/processes/service-process.ts";
import { prepareLeads, projectOf } from "./leads/leads-data.ts";
import { measureOAuth } from "./oauth/oauth-load.ts";
import { benchDatabase } from "./support/database.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const whole = (n: number) => Math.round(n).toLocaleString("en");

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Contest {
  title: string;
  aim: number;
  checked: boolean;
  /** Whether to run the complete listener too. */
  listener?: true;
  method: string;
  params: { name?: string; arguments?: object };
  /** Sent in turn instead of `params.arguments`. */
  several?: object[];
}

const LEAD = { name: "get_lead", arguments: { id: "lead_01k3zq8c5w9t2m4n6p7r8s0v1x" } };
const CONTESTS: Contest[] = [
  { title: "tools/call, nothing behind", aim: 8, checked: false, method: "tools/call", params: LEAD },
  { title: "tools/call, token checked", aim: 2.5, checked: true, method: "tools/call", params: LEAD },
  {
    title: "query_leads, one page again and again",
    aim: 2,
    checked: true,
    listener: true,
    method: "tools/call",
    params: { name: "query_leads", arguments: { limit: 25 } },
  },
  {
    title: "query_leads, 1,000 pages in turn",
    aim: 2,
    checked: true,
    listener: true,
    method: "tools/call",
    params: { name: "query_leads" },
    several: Array.from({ length: 1_000 }, (_, i) => ({
      filter: { any: [{ all: [{ field: "score", op: "between", value: [i % 50, 50 + (i % 51)] }] }] },
      ...{ limit: 25, offset: 25 * (i % 8) },
    })),
  },
  { title: "tools/list, nothing behind", aim: 30, checked: false, method: "tools/list", params: {} },
  {
    title: "tools/list, token checked",
    aim: 30,
    checked: true,
    listener: true,
    method: "tools/list",
    params: {},
  },
];

/**
 * Our dispatcher and the SDKs' servers, each behind a plain Node server; then our complete listener, with its
 * log and metrics.
 */
const SIDES = ["ours", "first", "second", "listener"] as const;

/**
 * Compares tool calls with the two SDKs (v1 stateless, v2 createMcpHandler). Each is a process behind a plain
 * Node server, with the service's seventeen tools made as its documentation shows and the same token check. The SDKs'
 * query_leads runs the service's statement on plain pg. Reports medians of the rounds; the ratio is to the better of the
 * two. `only` selects contests by their titles.
 */
export async function mcp(options: {
  seconds: number;
  rounds: number;
  connections: number[];
  only: string;
}): Promise<void> {
  await using database = await benchDatabase({ fresh: true, folder: "data/bench-mcp" });
  const project = projectOf(10_000);
  await prepareLeads(database, say, [project]);
  const ground = await prepareGround(database);
  await database.sql("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, 'owner')", [
    ground.personId,
    project.id,
  ]);
  const [token] = await prepareTokens(database, { ...ground, projectId: project.id }, 1);
  if (token === undefined) throw new Error("no token was made");
  await using servers = new AsyncDisposableStack();
  const started = new Map<string, { port: number; pid: number }>();
  for (const side of SIDES) {
    for (const checked of side === "listener" ? [true] : [true, false]) {
      const server = await start(side, checked, database.url, project.id);
      servers.defer(server.end);
      started.set(`${side} ${checked}`, server);
    }
  }
  for (const connections of options.connections) {
    for (const contest of CONTESTS.filter(({ title }) => title.includes(options.only))) {
      const sides = SIDES.filter((side) => side !== "listener" || contest.listener === true);
      const rates = new Map<string, number[]>(sides.map((side) => [side, []]));
      for (let round = 0; round < options.rounds; round += 1) {
        for (const side of sides) {
          const { port, pid } = started.get(`${side} ${contest.checked}`) ?? { port: 0, pid: 0 };
          const load = loadOf(contest, side, token.access, port, connections);
          await measureOAuth(pid, { ...load, seconds: round === 0 ? 3 : 0.2 });
          const measured = await measureOAuth(pid, { ...load, seconds: options.seconds });
          if (measured.failed > 0)
            throw new Error(`${side}: ${measured.failed} calls of ${contest.title} failed`);
          rates.get(side)?.push(measured.perSecond);
        }
      }
      say(lineOf(contest, connections, rates));
    }
  }
}

function lineOf({ title, aim }: Contest, connections: number, rates: Map<string, number[]>): string {
  const of = (side: string) => medianOf(rates.get(side) ?? []);
  const ratio = of("ours") / Math.max(of("first"), of("second"));
  const listener = rates.has("listener") ? `, the whole listener ${whole(of("listener"))}/s` : "";
  return (
    `${connections} connections, ${title}: ours ${whole(of("ours"))}/s, SDK v1 ${whole(of("first"))}/s, ` +
    `SDK v2 ${whole(of("second"))}/s: ${ratio.toFixed(2)} times the better (aim ${aim})${listener}` +
    `${ratio < aim ? "  MISSED" : ""}`
  );
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function loadOf(
  { method, params, several = [params.arguments ?? {}] }: Contest,
  side: string,
  token: string,
  port: number,
  connections: number,
) {
  // The first SDK supports 2025-11-25 at most, which requires less of a request.
  const modern = side !== "first";
  const messageOf = (args: object) => {
    const sent = params.name === undefined ? params : { ...params, arguments: args };
    return { jsonrpc: "2.0", id: 1, method, params: modern ? { ...sent, _meta: META } : sent };
  };
  const named = params.name === undefined ? "" : `Mcp-Name: ${params.name}\r\n`;
  const headers =
    `Authorization: Bearer ${token}\r\nAccept: application/json, text/event-stream\r\n${named}` +
    (modern
      ? `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n`
      : "MCP-Protocol-Version: 2025-11-25\r\n");
  const items = several.map((args) => JSON.stringify(messageOf(args)));
  return {
    port,
    path: "/mcp",
    mode: "repeat" as const,
    items,
    type: "application/json",
    headers,
    expect: 200,
    connections,
  };
}

async function start(side: string, checked: boolean, databaseUrl: string, projectId: string) {
  const url = "http://localhost";
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
    AUTH_URL: url,
    BASE_URL: url,
    LOG_LEVEL: "error",
  };
  const limits = JSON.stringify({ api: null, mcp: null });
  const words = [side, checked ? "checked" : "free", projectId];
  const child = fork(new URL("./mcp/mcp-server.ts", import.meta.url), words, {
    env: { ...env, LIMITS: limits },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve(Number(message)));
    child.once("exit", () => reject(new Error(`${side} did not start`)));
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async () => {
    child.kill("SIGKILL");
    await gone;
  };
  return { port, pid: child.pid ?? 0, end };
}
