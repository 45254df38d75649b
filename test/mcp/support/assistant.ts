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

/** The members of an answer that the tests look at. */
export interface RpcAnswer {
  id: unknown;
  result: Record<string, unknown>;
  error: { code: number; message: string; data: Record<string, unknown> };
}

/** An application that holds an access token and posts messages by hand. */
export class Assistant {
  readonly url: string;
  readonly token: string;

  constructor(the: World, token: string) {
    this.url = `${the.authUrl}/mcp`;
    this.token = token;
  }

  /** Registered, authorized by the person on the consent page, with the token of that. */
  static async authorized(the: World, choice: Choice = {}): Promise<Assistant> {
    const application = await Application.register(the);
    const { access } = await application.tokens(await the.signedIn(), choice);
    return new Assistant(the, access);
  }

  /** Sends anything; a header that is undefined is left out. */
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

  /** A request of 2026-07-28, complete unless the test breaks it. */
  ask(method: string, params: Record<string, unknown> = {}, headers: Headers = {}): Promise<Response> {
    const named = typeof params.name === "string" ? { "Mcp-Name": params.name } : {};
    return this.post(
      { jsonrpc: "2.0", id: 7, method, params: { _meta: META, ...params } },
      { "MCP-Protocol-Version": STATELESS, "Mcp-Method": method, ...named, ...headers },
    );
  }

  /** A request of the revisions before it. */
  askEarlier(method: string, params: object = {}, headers: Headers = {}): Promise<Response> {
    return this.post({ jsonrpc: "2.0", id: 7, method, params }, headers);
  }

  /** A tool's result. */
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

/** Status and JSON-RPC code of an answer. */
export async function codeOf(answer: Response): Promise<[number, number]> {
  return [answer.status, (await answerOf(answer)).error.code];
}

/** A lead of the world's project. */
export async function addLead(the: World, lead: Record<string, unknown> = {}): Promise<string> {
  const id = `lead_${crypto.randomUUID().replaceAll("-", "").slice(0, 26)}`;
  const row = { project_id: the.project.id, id, ...lead };
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await the.sql(`INSERT INTO store.lead (${columns}) VALUES (${places})`, Object.values(row));
  return id;
}
