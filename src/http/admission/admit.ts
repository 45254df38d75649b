import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Leave } from "../../core/lanes.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { type Surface, sendRefusal } from "../route/serve.ts";
import type { Admission, NotAdmitted } from "./admission.ts";
import { ownerOf } from "./owner.ts";
import { notAdmitted } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose share of the process the request uses, if it was admitted and is not always answered. */
    owner: string | null;
    /** Frees the request's slot. */
    leave: Leave | null;
  }
}

/** What a route's configuration says about its admission. */
interface RouteConfig {
  /** Always answered: what operators ask, and files of pages. */
  always?: boolean;
  /** Mostly waits for the network or for other work, so that it keeps no slot. */
  streams?: boolean;
  long?: boolean;
}

/**
 * Refuses requests of an overloaded process before their bodies are read, and gives each other one a slot once its
 * body has arrived, so that slow bodies take no slots. The slot is free when the answer starts: its reader may be
 * slow. A closed connection does not free it before, since the work goes on. CORS preflights are always answered, as
 * browsers show pages nothing of a refused one.
 */
export function admitRequests(
  app: FastifyInstance,
  { service, admission, surfaceOf }: { service: Service; admission: Admission; surfaceOf: SurfaceOf },
): void {
  app.decorateRequest("owner", null);
  app.decorateRequest("leave", null);
  const refuse = (request: FastifyRequest, reply: FastifyReply, { own }: NotAdmitted) =>
    void sendRefusal(reply, surfaceOf(request), service, request, notAdmitted(own));

  const take = (request: FastifyRequest, leave: Leave) => {
    const { streams, long } = request.routeOptions.config as RouteConfig;
    if (streams === true || long === true) leave();
    else request.leave = leave;
  };

  app.addHook("onRequest", (request, reply, done) => {
    if (request.method === "OPTIONS" || (request.routeOptions.config as RouteConfig).always === true)
      return done();
    const owner = ownerOf(service, request);
    const refused = admission.refuses(owner);
    if (refused !== undefined) return refuse(request, reply, refused);
    request.owner = owner;
    done();
  });

  app.addHook("preValidation", (request, reply, done) => {
    const { owner } = request;
    if (owner === null) return done();
    const leave = admission.tryEnter(owner);
    if (leave !== undefined) {
      take(request, leave);
      return done();
    }
    const gone = new AbortController();
    const abort = () => gone.abort();
    reply.raw.once("close", abort);
    admission.enter(owner, gone.signal).then(
      (entered) => {
        reply.raw.off("close", abort);
        if (typeof entered !== "function") return refuse(request, reply, entered);
        take(request, entered);
        done();
      },
      // Nobody reads the answer; it ends the request for Fastify.
      () => refuse(request, reply, { why: "wait", own: false }),
    );
  });

  app.addHook("onSend", (request, _reply, _payload, done) => {
    request.leave?.();
    done();
  });
}

type SurfaceOf = (request: FastifyRequest) => Surface;
