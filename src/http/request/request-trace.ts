import type { FastifyReply, FastifyRequest } from "fastify";
import { ID_BODY } from "../../core/id.ts";
import type { Trace } from "../../observe/trace/trace.ts";
import { readTraceParent } from "../../observe/trace/trace-parent.ts";
import type { Tracer } from "../../observe/trace/tracer.ts";

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace | null;
    /** The id of the trace, if it has ended and is exported. */
    traceId: string | null;
  }
}

/**
 * Starts the trace of a request, which ends with the response, or when the client hangs up. What is always answered, such
 * as probes and files of pages, has none.
 */
export function beginTrace(tracer: Tracer, request: FastifyRequest, reply: FastifyReply): void {
  if ((request.routeOptions.config as { always?: boolean }).always === true) return;
  const { traceparent, tracestate } = request.headers;
  const parent =
    tracer.propagates && traceparent !== undefined ? readTraceParent(traceparent, tracestate) : undefined;
  const trace = tracer.request(parent);
  request.trace = trace;
  reply.raw.once("close", () => {
    request.traceId = endTrace(trace, request, reply);
  });
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]);
const ID = new RegExp(`^[a-z]{2,5}_${ID_BODY}$`);
const PORT = /:(\d+)$/;

/**
 * Ends the trace of a request with the attributes of OpenTelemetry's conventions for HTTP servers; returns its id if
 * it is exported.
 */
function endTrace(trace: Trace, request: FastifyRequest, reply: FastifyReply): string | null {
  const { statusCode } = reply;
  const { url: route, config } = request.routeOptions;
  const failed = statusCode >= 500 ? String(statusCode) : undefined;
  const { streams, long } = config as { streams?: boolean; long?: boolean };
  const isStream = String(reply.getHeader("content-type")).startsWith("text/event-stream");
  const { root } = trace;
  const method = METHODS.has(request.method) ? request.method : "_OTHER";
  root.name = route === undefined ? method : `${method} ${route}`;
  root.set("http.request.method", method);
  // Without headers, the client hung up before the answer began.
  if (reply.raw.headersSent) root.set("http.response.status_code", statusCode);
  root.set("url.scheme", request.protocol);
  const { host } = request;
  root.set("server.address", host.replace(PORT, ""));
  const port = PORT.exec(host)?.[1];
  if (port !== undefined) root.set("server.port", Number(port));
  root.set("network.protocol.version", request.raw.httpVersion);
  root.set("leadgate.request.id", request.id);
  if (route !== undefined) {
    root.set("http.route", route);
    root.set("url.path", pathOf(route, request.params as Readonly<Record<string, unknown>>));
  }
  const isLong = isStream || streams === true || long === true;
  return trace.end({ failed, long: isLong }) ? trace.id : null;
}

/** The path with the ids of our nouns. Other parts stay as the route has them, because links of mails have secrets there. */
const pathOf = (route: string, params: Readonly<Record<string, unknown>>): string =>
  route.replace(/:(\w+)/g, (name, key: string) => {
    const value = params[key];
    return typeof value === "string" && ID.test(value) ? value : name;
  });
