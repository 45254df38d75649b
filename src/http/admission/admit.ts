import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Leave } from "../../core/lanes.ts";
import { databaseAway } from "../../core/refusal.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { countWait } from "../observe/request-metrics.ts";
import { type Admit, type Surface, sendRefusal } from "../route/serve.ts";
import type { Admission, NotAdmitted } from "./admission.ts";
import { forgetCredential, ownerOf, projectOf } from "./owner.ts";
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
 * browsers show pages nothing of a refused one. Returns how a request whose body was refused gets a slot.
 */
export function admitRequests(
  app: FastifyInstance,
  { service, admission, surfaceOf }: { service: Service; admission: Admission; surfaceOf: SurfaceOf },
): Admit {
  app.decorateRequest("owner", null);
  app.decorateRequest("leave", null);
  /** Who waits for somebody else's lock, or for a database that is away, has no requests in the way. */
  const refusalFor = (owner: string, { own }: NotAdmitted) => {
    if (service.readiness.isAway) return databaseAway();
    return notAdmitted(own && service.readiness.mayBlame(projectOf(owner)));
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply, owner: string, reason: NotAdmitted) => {
    const refusal = refusalFor(owner, reason);
    request.trace?.refuse(refusal.code);
    sendRefusal(reply, surfaceOf(request), service, request, refusal);
  };

  /** Waits for a slot, until the connection closes: then nobody reads the answer, which ends the request for Fastify. */
  const enter = async (owner: string, { raw }: FastifyReply): Promise<Leave | NotAdmitted> => {
    const gone = new AbortController();
    const abort = () => gone.abort();
    if (raw.destroyed) abort();
    raw.once("close", abort);
    const since = performance.now();
    try {
      return await admission.enter(owner, gone.signal);
    } catch {
      return { why: "wait", own: false };
    } finally {
      countWait((performance.now() - since) / 1_000);
      raw.off("close", abort);
    }
  };

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
    if (refused !== undefined) return refuse(request, reply, owner, refused);
    request.owner = owner;
    done();
  });

  app.addHook("preValidation", (request, reply, done) => {
    const { owner, account } = request;
    account?.arrived();
    if (owner === null) return done();
    request.trace?.arrive();
    const leave = admission.tryEnter(owner);
    if (leave !== undefined) {
      take(request, leave);
      return done();
    }
    if (service.readiness.isAway) return refuse(request, reply, owner, { why: "wait", own: false });
    const since = performance.now();
    void enter(owner, reply).then((entered) => {
      const ms = performance.now() - since;
      account?.queued(ms);
      request.trace?.waited(ms);
      if (typeof entered !== "function") return refuse(request, reply, owner, entered);
      take(request, entered);
      done();
    });
  });

  app.addHook("onSend", (request, reply, _payload, done) => {
    request.leave?.();
    // Here, because every surface refuses credentials so, and with checks of its own.
    if (reply.statusCode === 401) forgetCredential(service, request);
    done();
  });

  return async (request, reply) => {
    const { owner, leave } = request;
    if (owner === null || leave !== null) return undefined;
    const entered = admission.tryEnter(owner) ?? (await enter(owner, reply));
    if (typeof entered !== "function") return refusalFor(owner, entered);
    request.leave = entered;
    return undefined;
  };
}

type SurfaceOf = (request: FastifyRequest) => Surface;
