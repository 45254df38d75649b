import { Agent } from "node:http";
import { ask, type HttpAnswer, type HttpCall } from "../../../../test/processes/http-call.ts";
import { USUAL } from "./mixed-queries.ts";
import type { SoakTarget, Tally } from "./soak-target.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** Pages of the panel and plain ones, each below `/projects/…` if it begins with a dot. */
const PAGES = ["./leads", "./settings/overview", "./settings/members", "/connected-apps", "/account", "/"];

/** One client: keeps connections, a chain of tokens and the lead that it created last. */
export class SoakClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #target: SoakTarget;
  readonly #tally: Tally;
  #refresh: string;
  #access: string;
  #lead: string | undefined;
  #turn = 0;

  constructor(target: SoakTarget, tally: Tally, token: { refresh: string; access: string }) {
    this.#target = target;
    this.#tally = tally;
    this.#refresh = token.refresh;
    this.#access = token.access;
  }

  /** Makes one call, whose kind is chosen by weight. */
  async call(): Promise<void> {
    let left = Math.random() * TOTAL;
    for (const [weight, act] of KINDS) {
      left -= weight;
      if (left < 0) return await this[act]();
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async query(): Promise<void> {
    const body = USUAL[Math.floor(Math.random() * USUAL.length)]?.body ?? {};
    const limit = 10 + Math.floor(Math.random() * 40);
    await this.#api("query", 200, "/api/leads/query/", {
      ...body,
      project_id: this.#target.projectId,
      limit,
    });
  }

  /** A filter that no other call has. */
  async ownFilter(): Promise<void> {
    const value = `n${Math.random().toString(36).slice(2, 8)}`;
    const filter = {
      or: [
        { field: "name", op: "contains", value },
        { field: "score", op: "gt", value: 99 },
      ],
    };
    await this.#api("own filter", 200, "/api/leads/query/", { filter, project_id: this.#target.projectId });
  }

  async create(): Promise<void> {
    const answer = await this.#api("create", 201, "/api/v1/leads", {
      name: `Ada ${Math.random()}`,
      tags: ["soak"],
    });
    if (answer.status === 201) this.#lead = (JSON.parse(answer.body) as { id: string }).id;
  }

  async read(): Promise<void> {
    if (this.#lead === undefined) return await this.create();
    await this.#api("read", 200, `/api/v1/leads/${this.#lead}`);
  }

  async change(): Promise<void> {
    if (this.#lead === undefined) return await this.create();
    await this.#api(
      "change",
      200,
      `/api/v1/leads/${this.#lead}`,
      { score: Math.floor(Math.random() * 90) },
      "PATCH",
    );
  }

  async refresh(): Promise<void> {
    const { clientId, ports } = this.#target;
    const answer = await this.#asked("refresh", 200, {
      port: ports.web,
      path: "/api/oauth/token",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `grant_type=refresh_token&client_id=${clientId}&refresh_token=${this.#refresh}`,
    });
    if (answer.status !== 200) return;
    const next = JSON.parse(answer.body) as { access_token: string; refresh_token: string };
    [this.#access, this.#refresh] = [next.access_token, next.refresh_token];
  }

  async tool(): Promise<void> {
    const isList = this.#turn++ % 4 === 0;
    const [method, name] = isList ? ["tools/list", undefined] : ["tools/call", "query_leads"];
    const params = { ...(isList ? {} : { name, arguments: { limit: 10 } }), _meta: META };
    await this.#asked("mcp", 200, {
      port: this.#target.ports.web,
      path: "/mcp",
      headers: {
        Authorization: `Bearer ${this.#access}`,
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method ?? "",
        ...(name === undefined ? {} : { "Mcp-Name": name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  }

  async page(): Promise<void> {
    const page = PAGES[this.#turn++ % PAGES.length] ?? "/";
    const path = page.replace(".", `/projects/${this.#target.projectId}`);
    const cookie = [...this.#target.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const { status } = await ask({
      agent: this.#agent,
      port: this.#target.ports.web,
      path,
      headers: { Cookie: cookie },
    });
    // Without a session each of them leads to the sign-in, with 303.
    this.#tally.count("page", status === 200, () => `${path} ${status}`);
  }

  async broken(): Promise<void> {
    const { ports, key } = this.#target;
    const headers = { Authorization: `Bearer ${key}` };
    await this.#asked("broken body", 400, {
      port: ports.api,
      path: "/api/v1/leads",
      headers,
      body: '{"name":',
    });
  }

  /** Sends half a body, or leaves before the answer arrives. */
  async aborted(): Promise<void> {
    const { ports, key, projectId } = this.#target;
    const own = new Agent({ keepAlive: true });
    const whole = JSON.stringify({ project_id: projectId, limit: 200 });
    const isHalf = this.#turn++ % 2 === 0;
    const body = isHalf ? whole.slice(0, 20) : whole;
    const headers = { Authorization: `Bearer ${key}`, "Content-Length": String(whole.length) };
    const answered = ask({ agent: own, port: ports.api, path: "/api/leads/query/", headers, body });
    setTimeout(() => own.destroy(), 1 + Math.random() * 10);
    await answered;
    this.#tally.count("aborted", true, String);
  }

  async #api(
    kind: string,
    expected: number,
    path: string,
    body?: object,
    method?: string,
  ): Promise<HttpAnswer> {
    const { ports, key } = this.#target;
    return await this.#asked(kind, expected, {
      ...{ port: ports.api, path, headers: { Authorization: `Bearer ${key}` } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(method === undefined ? {} : { method }),
    });
  }

  async #asked(kind: string, expected: number, call: Omit<HttpCall, "agent">): Promise<HttpAnswer> {
    const answer = await ask({ ...call, agent: this.#agent });
    this.#tally.count(kind, answer.status === expected, () => `${answer.status} ${answer.body}`);
    return answer;
  }
}

const KINDS = [
  [45, "query"],
  [8, "ownFilter"],
  [14, "read"],
  [8, "create"],
  [6, "change"],
  [6, "refresh"],
  [6, "tool"],
  [6, "page"],
  [0.5, "broken"],
  [0.5, "aborted"],
] as const satisfies readonly (readonly [number, keyof SoakClient])[];

const TOTAL = KINDS.reduce((all, [weight]) => all + weight, 0);
