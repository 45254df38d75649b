import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { LimitName } from "../../core/limit.ts";
import type { Refusal } from "../../core/refusal.ts";
import { countedFrom, refusedAnonymous } from "../../domain/operation/limits/counted.ts";
import { recording, type Service } from "../../domain/operation/service/service.ts";
import { countRefusal, keepProject } from "../observe/request-metrics.ts";
import { changeHeader, keepChanges } from "../response/change-header.ts";
import { sendCompressed } from "../response/compress.ts";
import { deprecationHeaders, deprecationOf } from "../response/deprecation-headers.ts";
import { refusalOf } from "../response/failure.ts";
import { keepLane, laneHeader } from "../response/lane-header.ts";
import { keepHits, limitHeaders } from "../response/limit-headers.ts";
import { isNotModified } from "../response/not-modified.ts";
import type { Reply } from "../response/reply.ts";
import { keepWarnings, warningHeader } from "../response/warning-header.ts";
import type { Route } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the request reached its handler. */
    handled: boolean;
  }
}

/** How a surface reports a refusal: its status, body and headers. */
export type Dialect = (refusal: Refusal, request: FastifyRequest) => Reply;

/** A set of routes that share a dialect. */
export interface Surface {
  routes: readonly Route[];
  dialect: Dialect;
  /** The common prefix of its URLs: unknown URLs below it are refused in its dialect too. */
  under?: string;
  /** Whether values in filters that are no option are refused; otherwise a header warns of them. */
  refusesUnknown?: true;
  /**
   * Whether answers are compressed for clients that accept it. Not where one has a secret next to what another party may
   * have written, such as a form's token next to a name: its length would reveal, guess by guess, when they agree (BREACH).
   */
  compresses?: true;
  /** Whether clients may keep answers to GET and ask whether they have changed; 304 if not. */
  revalidates?: true;
  /** The limit by client address for calls without a valid credential. */
  anonymous?: LimitName;
  /** Returns headers for every response, errors included (CORS, content security policy). */
  headers?(request: FastifyRequest): Record<string, string>;
  /** Returns further headers for refusals of requests that no handler answers, such as those of an overload. */
  refusalHeaders?(service: Service, request: FastifyRequest): Record<string, string>;
  /** Ends open streams when the listener closes. */
  close?(): void;
}

/** Gives a request whose body was refused a slot of the process for being counted, or returns why it gets none. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Refusal | undefined>;

/** Registers a surface's routes on a listener. */
export function mount(
  app: FastifyInstance,
  surface: Surface,
  service: Service,
  admit: Admit = async () => undefined,
): void {
  app.addHook("preClose", async () => surface.close?.());
  for (const route of surface.routes) {
    const deprecated = route.endpoint?.deprecated;
    const addTo = (scope: FastifyInstance) =>
      scope.route({
        method: route.method,
        url: route.url,
        ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
        config: {
          surface,
          streams: route.stream === true,
          long: route.long === true,
          always: route.always === true,
          ...(deprecated === undefined ? {} : { deprecated: deprecationOf(deprecated) }),
        },
        handler: async (request, reply) => {
          request.handled = true;
          const { account } = request;
          account?.hold();
          try {
            const answer = await answerOf(surface, route, called(service, surface, request), request);
            return send(reply, surface, request, answer);
          } catch (error) {
            account?.refuse(refusalOf(error).code);
            throw error;
          } finally {
            account?.answered();
          }
        },
        errorHandler: async (error, request, reply) => {
          const shed = request.handled ? undefined : await admit(request, reply);
          const refusal = shed ?? (await refusalFor(surface, route, service, request, error));
          const { kind, code, cause } = refusal;
          request.trace?.refuse(code);
          if (cause !== undefined) request.log.error({ err: cause }, "request failed");
          else if (kind === "unavailable") request.log.warn({ code }, "request refused");
          return sendRefusal(reply, surface, service, request, refusal);
        },
      });
    if (route.stream === true) app.register(async (scope) => void addTo(unread(scope)));
    else addTo(app);
  }
}

/** Returns a scope in which only the handler reads bodies. */
function unread(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  return scope;
}

/** Returns the service as this request calls it. */
function called(service: Service, surface: Surface, request: FastifyRequest): Service {
  const agent = (request.headers["user-agent"] ?? "").slice(0, 200).toWellFormed();
  const origin = {
    address: request.ip,
    requestId: request.id,
    agent,
    languages: request.headers["accept-language"],
    hits: keepHits(request),
    warnings: keepWarnings(request),
    changes: keepChanges(request),
    onProject: keepProject(request),
    onSlow: keepLane(request),
    refusesUnknown: surface.refusesUnknown === true,
    unattended: request.headers["x-leadgate-unattended"] === "1",
  };
  const { trace, account } = request;
  return recording({ ...service, origin }, trace ?? undefined, account ?? undefined);
}

/**
 * Returns the reply to an error. Requests that never reached the handler, such as those with too large a
 * body, count against the limit too.
 */
async function refusalFor(
  surface: Surface,
  route: Route,
  service: Service,
  request: FastifyRequest,
  error: unknown,
): Promise<Refusal> {
  const refusal = refusalOf(error, request.routeOptions.bodyLimit);
  if (request.handled) return refusal;
  const { unhandled } = route;
  const handle: Route["handle"] = async (counted) => {
    if (unhandled !== undefined) return await unhandled(counted, request, refusal);
    throw refusal;
  };
  const answer = answerOf(surface, { ...route, handle }, called(service, surface, request), request);
  return await answer.then(() => refusal, refusalOf);
}

/**
 * Returns the route's reply, after counting the call against the limit by address of its route or surface.
 */
async function answerOf(
  surface: Surface,
  route: Route,
  service: Service,
  request: FastifyRequest,
): Promise<Reply> {
  const { limit } = route;
  if (limit !== undefined) {
    return await countedFrom(service, limit, (counted) => route.handle(counted, request));
  }
  try {
    return await route.handle(service, request);
  } catch (error) {
    throw surface.anonymous === undefined ? error : await refusedAnonymous(service, surface.anonymous, error);
  }
}

/** Sends the refusal of a request that no handler answers. */
export function sendRefusal(
  reply: FastifyReply,
  surface: Surface,
  service: Service,
  request: FastifyRequest,
  refusal: Refusal,
): FastifyReply {
  countRefusal(refusal.code);
  request.account?.refuse(refusal.code);
  const answer = surface.dialect(refusal, request);
  const headers = { ...surface.refusalHeaders?.(service, request), ...answer.headers };
  return send(reply, surface, request, { ...answer, headers });
}

const JSON_TYPE = "application/json; charset=utf-8";
const EVENT_STREAM = "text/event-stream";
const COMPRESSIBLE = /^(application\/(json|x-ndjson)|text\/csv)\b/;

/** Sends a reply. */
export function send(
  reply: FastifyReply,
  surface: Surface,
  request: FastifyRequest,
  answer: Reply,
): FastifyReply {
  reply.code(answer.status);
  reply.headers({
    ...surface.headers?.(request),
    ...limitHeaders(request),
    ...laneHeader(request),
    ...deprecationHeaders(request),
    ...(answer.status < 400 ? { ...warningHeader(request), ...changeHeader(request) } : {}),
    ...answer.headers,
  });
  const { body, type = JSON_TYPE } = answer;
  if (body === undefined) return reply.send();
  const mayCompress = (answer.compress ?? surface.compresses === true) && COMPRESSIBLE.test(type);
  const pass = (sent: string | Buffer | Readable) =>
    mayCompress ? sendCompressed(reply.type(type), request, sent) : reply.type(type).send(sent);
  if (!isStream(body)) {
    const whole = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const isKept = surface.revalidates === true && isReading(request) && answer.status === 200;
    if (isKept && !isTagged(answer) && isNotModified(reply, request, whole)) return reply.send();
    return pass(whole);
  }
  if (request.method === "HEAD" && type === EVENT_STREAM) {
    // Fastify would read the stream to its end, which never comes.
    body.destroy();
    return reply.type(type).send();
  }
  body.once("error", () => removeHeaders(reply, answer));
  return pass(body);
}

const isStream = (body: string | object): body is Readable => typeof body === "object" && "pipe" in body;
const isReading = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";

/** Whether the tag is a version, for If-Match. What others add to a record, such as its last activity, leaves it alone. */
const isTagged = ({ headers }: Reply): boolean => headers?.ETag !== undefined;

/** Removes the headers of a reply whose stream failed before its first byte: a refusal follows, which has its own. */
function removeHeaders(reply: FastifyReply, { headers = {} }: Reply): void {
  if (reply.raw.headersSent) return;
  for (const name of [...Object.keys(headers), "Content-Encoding"]) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}
