import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../processes/http-call.ts";
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

const query = ({ front, projectId, key }: RollingLoad, agent: Agent) =>
  ask({
    ...{ agent, port: front.api, path: "/api/leads/query/", headers: { Authorization: `Bearer ${key}` } },
    body: JSON.stringify({ project_id: projectId, limit: 20 }),
  });

const create = ({ front, key }: RollingLoad, agent: Agent) =>
  ask({
    ...{ agent, port: front.api, path: "/api/v1/leads", headers: { Authorization: `Bearer ${key}` } },
    body: JSON.stringify({ name: "Ada Moreira" }),
  });

const exchange = ({ front, clientId }: RollingLoad, agent: Agent, token: string) =>
  ask({
    ...{ agent, port: front.web, path: "/api/oauth/token" },
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: `grant_type=refresh_token&client_id=${clientId}&refresh_token=${token}`,
  });
