import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyServerFactory } from "fastify";
import { newId } from "../../core/id.ts";
import type { HostHeaders } from "../route/unreadable.ts";
import { ManySocketServer } from "./many-sockets.ts";

/** Time limits of connections in milliseconds; see Fastify's options of the same names. */
interface Times {
  requestTimeout: number;
  connectionTimeout: number;
  keepAliveTimeout: number;
}

const BODY = '{"status":"ok"}';

/**
 * Returns what makes a listener's server, which answers `/livez` before everything else. `ends` tells whether each
 * answer has to end its connection.
 */
export const serverWithLivez =
  (headers: HostHeaders, times: Times, ends: () => boolean): FastifyServerFactory<Server> =>
  (handler, options) => {
    const server = new ManySocketServer(options.http as object, (request, response) => {
      if (asksLivez(request)) answer(response, ends() ? { ...headers, Connection: "close" } : headers);
      else handler(request, response);
    });
    server.requestTimeout = times.requestTimeout;
    server.keepAliveTimeout = times.keepAliveTimeout;
    server.setTimeout(times.connectionTimeout);
    return server;
  };

/** A request with a body goes the usual way, which limits the time that the body may take. */
function asksLivez({ url = "", method, headers }: IncomingMessage): boolean {
  if (!url.startsWith("/livez") || (url.length > 6 && url[6] !== "?")) return false;
  if (method !== "GET" && method !== "HEAD") return false;
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

function answer(response: ServerResponse, headers: HostHeaders): void {
  response.writeHead(200, {
    ...headers,
    "X-Request-Id": newId("req"),
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(BODY.length),
  });
  response.end(BODY);
}
