import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** One request of a host and its answer, as they were on the wire. */
export interface Exchange {
  method: string;
  path: string;
  agent: string;
  /** `MCP-Protocol-Version` of the request. */
  revision: string;
  body: string;
  status: number;
  /** `WWW-Authenticate` of the answer. */
  challenge: string;
  answer: string;
}

/** What a host requests; everything else comes from the person's browser. */
const OF_HOSTS = /^\/(mcp|\.well-known\/|api\/well-known\/|api\/oauth\/)/;

/** Passes everything on to the service and keeps what hosts exchange with it. */
export interface Recorder extends AsyncDisposable {
  exchanges: Exchange[];
  /** A token that may write: with it, `tools/list` is answered as for that token, whatever the host sent. */
  listWith: string | undefined;
}

/** Starts a recorder on a port, in front of the service on another port of this machine. */
export async function recorder(port: number, servicePort: number): Promise<Recorder> {
  const exchanges: Exchange[] = [];
  const state: { listWith: string | undefined } = { listWith: undefined };
  const server = createServer((asked, answer) => {
    void collected(asked).then((body) => {
      const headers = { ...asked.headers };
      if (state.listWith !== undefined && methodsOf(body).includes("tools/list"))
        headers.authorization = `Bearer ${state.listWith}`;
      const { method = "GET", url: path = "/" } = asked;
      // Host and Origin stay unchanged: the service checks them against rebinding.
      const target = { hostname: "127.0.0.1", port: servicePort, path, method, headers };
      const passed = request(target, (heard) => {
        answer.writeHead(heard.statusCode ?? 502, heard.headers);
        const exchange: Exchange = {
          ...{ method, path, body, answer: "" },
          agent: asked.headers["user-agent"] ?? "",
          revision: String(asked.headers["mcp-protocol-version"] ?? ""),
          status: heard.statusCode ?? 502,
          challenge: String(heard.headers["www-authenticate"] ?? ""),
        };
        if (OF_HOSTS.test(path)) exchanges.push(exchange);
        const parts: Buffer[] = [];
        heard.on("data", (data: Buffer) => parts.push(data));
        heard.once("end", () => {
          exchange.answer = decoded(Buffer.concat(parts), heard.headers["content-encoding"]);
        });
        heard.pipe(answer);
      });
      passed.on("error", () => answer.destroy());
      answer.on("close", () => passed.destroy());
      passed.end(body);
    });
  });
  await listening(server, port);
  return Object.assign(state, {
    exchanges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

const DECODERS: Record<string, (data: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

const decoded = (data: Buffer, encoding = ""): string => (DECODERS[encoding]?.(data) ?? data).toString();

/** Returns the whole body of a request. */
export async function collected(asked: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of asked) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Listens on a port of this machine; 0 takes a free one. */
export function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}

/** Answers with JSON. */
export function reply(answer: ServerResponse, status: number, value: unknown): void {
  answer.writeHead(status, { "Content-Type": "application/json" });
  answer.end(JSON.stringify(value));
}

interface Message {
  method?: string;
  params?: { name?: string };
}

/** Returns the JSON-RPC messages of a body; none if it is not JSON. */
export function messagesOf(body: string): Message[] {
  try {
    return [JSON.parse(body)].flat() as Message[];
  } catch {
    return [];
  }
}

/** Returns the JSON-RPC methods of a body. */
const methodsOf = (body: string): string[] =>
  messagesOf(body).flatMap(({ method }) => (method === undefined ? [] : [method]));
