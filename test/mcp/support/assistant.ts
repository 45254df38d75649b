import { Application, bodyOf, type Choice } from "../../oauth/support/application.ts";
import type { World } from "../../world.ts";

const STATELESS = "2026-07-28";

/** The `_meta` of every request of 2026-07-28. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Headers = Record<string, string | undefined>;

/** The members of a response that the tests look at. */
export interface RpcAnswer {
  id: unknown;
  result: Record<string, unknown>;
  error: { code: number; message: string; data: Record<string, unknown> };
}

/** An application that holds an access token and posts messages itself. */
export class Assistant {
  readonly url: string;
  readonly token: string;

  constructor(the: World, token: string, query = "") {
    this.url = `${the.authUrl}/mcp${query}`;
    this.token = token;
  }

  /** Registers an application that the person authorizes on the consent page, and exchanges its code. */
  static async authorized(the: World, choice: Choice = {}): Promise<Assistant> {
    const application = await Application.register(the);
    const { access } = await application.tokens(await the.signedIn(), choice);
    return new Assistant(the, access);
  }

  /** Sends anything; an undefined header is left out. */
  send(method: string, body?: unknown, headers: Headers = {}): Promise<Response> {
    const all: Headers = {
      Authorization: `Bearer ${this.token}`,
      Accept: "application/json, text/event-stream",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    };
    const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    return fetch(this.url, { method, headers: sent, ...(text === undefined ? {} : { body: text }) });
  }

  post(body: unknown, headers: Headers = {}): Promise<Response> {
    return this.send("POST", body, headers);
  }

  /** Sends a 2026-07-28 request, complete unless the test breaks it. */
  ask(method: string, params: Record<string, unknown> = {}, headers: Headers = {}): Promise<Response> {
    const named = typeof params.name === "string" ? { "Mcp-Name": params.name } : {};
    return this.post(
      { jsonrpc: "2.0", id: 7, method, params: { _meta: META, ...params } },
      { "MCP-Protocol-Version": STATELESS, "Mcp-Method": method, ...named, ...headers },
    );
  }

  /** Sends a request of the earlier revisions. */
  askEarlier(method: string, params: object = {}, headers: Headers = {}): Promise<Response> {
    return this.post({ jsonrpc: "2.0", id: 7, method, params }, headers);
  }

  /** Returns a tool's result. */
  async call(name: string, args: object = {}): Promise<ToolResult> {
    const { result } = await answerOf(await this.ask("tools/call", { name, arguments: args }));
    return result as unknown as ToolResult;
  }
}

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
}

export const answerOf = async (answer: Response): Promise<RpcAnswer> =>
  (await bodyOf(answer)) as unknown as RpcAnswer;

/** Returns status and JSON-RPC code of a response. */
export async function codeOf(answer: Response): Promise<[number, number]> {
  return [answer.status, (await answerOf(answer)).error.code];
}

/** Adds a lead to the world's project; returns its id. */
export async function addLead(the: World, lead: Record<string, unknown> = {}): Promise<string> {
  const id = `lead_${crypto.randomUUID().replaceAll("-", "").slice(0, 26)}`;
  const row = { project_id: the.project.id, id, ...lead };
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await the.sql(`INSERT INTO store.lead (${columns}) VALUES (${places})`, Object.values(row));
  return id;
}
