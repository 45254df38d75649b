import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hosts } from "./haproxy.ts";

/** One request of the load; `fault` says what was wrong with its answer. */
export interface Call {
  kind: "read" | "create" | "refresh";
  began: number;
  ms: number;
  fault?: string;
}

export interface RollingLoad {
  front: Hosts;
  projectId: string;
  key: string;
  clientId: string;
  /** Refresh tokens, a chain each; a client refreshes its own. */
  tokens: readonly string[];
}

interface Answer {
  status: number;
  body: string;
}

/** Between two requests of a client, so that clients find their connections idle, as those of real ones are. */
const PAUSE_MS = 10;

/**
 * Sends reads, creations and token refreshes, a client for each token, each over its own keep-alive connections to the
 * proxy. Returns a function that ends it; `calls` grows meanwhile.
 */
export function startLoad(load: RollingLoad): { calls: Call[]; stop(): Promise<void> } {
  const calls: Call[] = [];
  let isOn = true;
  const clients = load.tokens.map(async (first, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let refresh = first;
    const turns = [
      async () => ["read", await query(load, agent), 200] as const,
      async () => ["create", await create(load, agent), 201] as const,
      async () => {
        const answer = await exchange(load, agent, refresh);
        if (answer.status === 200)
          refresh = (JSON.parse(answer.body) as { refresh_token: string }).refresh_token;
        return ["refresh", answer, 200] as const;
      },
    ];
    for (let n = client; isOn; n += 1) {
      const turn = turns[n % turns.length];
      if (turn === undefined) return;
      const began = performance.now();
      const [kind, { status, body }, expected] = await turn();
      const fault = status === expected ? {} : { fault: `${status} ${body.slice(0, 200)}` };
      calls.push({ kind, began, ms: performance.now() - began, ...fault });
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
    agent.destroy();
  });
  return {
    calls,
    async stop() {
      isOn = false;
      await Promise.all(clients);
    },
  };
}

const JSON_TYPE = "application/json";

const query = ({ front, projectId, key }: RollingLoad, agent: Agent) =>
  post(
    agent,
    front.api,
    "/api/leads/query/",
    JSON.stringify({ project_id: projectId, limit: 20 }),
    JSON_TYPE,
    key,
  );

const create = ({ front, key }: RollingLoad, agent: Agent) =>
  post(agent, front.api, "/api/v1/leads", JSON.stringify({ name: "Ada Moreira" }), JSON_TYPE, key);

const exchange = ({ front, clientId }: RollingLoad, agent: Agent, token: string) =>
  post(
    agent,
    front.web,
    "/api/oauth/token",
    String(new URLSearchParams({ grant_type: "refresh_token", client_id: clientId, refresh_token: token })),
    "application/x-www-form-urlencoded",
  );

/** Returns the answer; status 0 with the error if there was none. */
function post(
  agent: Agent,
  port: number,
  path: string,
  body: string,
  type: string,
  key?: string,
): Promise<Answer> {
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const headers = { "Content-Type": type, "Content-Length": Buffer.byteLength(body), ...authorization };
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message });
    const sent = request({ host: "127.0.0.1", port, method: "POST", path, agent, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.once("error", failed);
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    sent.once("error", failed);
    sent.end(body);
  });
}
