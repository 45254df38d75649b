import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Config } from "../../../src/config/config.ts";

const pem = (part: string): string => readFileSync(`test/oauth/support/document-host.${part}.pem`, "utf8");

/**
 * A host of metadata documents, over https on loopback with the tests' own certificate (valid until 2126).
 */
export interface DocumentHost extends AsyncDisposable {
  port: number;
  /** Returns the URL of a document; every path answers. */
  url(path?: string, host?: string): string;
  /** Requests received, oldest first. */
  requests: IncomingMessage[];
  /** Connections made, whether or not a request followed. */
  connections: number;
  /** Answers the next requests. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers with this document, completed with its client_id if that is missing. */
  serve(document?: Record<string, unknown>, headers?: Record<string, string>): void;
}

/** Allows the service to fetch from this machine, for tests only. */
export const OWN_DOCUMENTS: Config["documents"] = {
  allowed: true,
  advertise: "always",
  ca: pem("cert"),
  ownNetworks: ["127.0.0.0/8", "::1/128"],
};

export const DOCUMENT = {
  client_name: "Documented application",
  redirect_uris: ["https://app.example/cb", "http://127.0.0.1/cb"],
};

export async function documentHost(listenOn = "localhost"): Promise<DocumentHost> {
  const server = createServer({ key: pem("key"), cert: pem("cert") }, (request, response) => {
    host.requests.push(request);
    host.answer(request, response);
  });
  server.on("connection", () => {
    host.connections += 1;
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, listenOn, resolve));
  const { port } = server.address() as AddressInfo;
  const host: DocumentHost = {
    port,
    requests: [],
    connections: 0,
    url: (path = "/client.json", name = "localhost") => `https://${name}:${port}${path}`,
    answer: (_request, response) => response.writeHead(404).end(),
    serve(document = {}, headers = {}) {
      host.answer = (request, response) => {
        const own = { client_id: host.url(request.url), ...DOCUMENT, ...document };
        response.writeHead(200, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(own));
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  host.serve();
  return host;
}
