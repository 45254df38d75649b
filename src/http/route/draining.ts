import type { FastifyInstance } from "fastify";

/** The listeners that are about to close. */
const draining = new WeakSet<FastifyInstance>();

/**
 * From now on, `/readyz` of this listener is 503, so that proxies stop choosing it, and each answer ends its connection.
 * A connection that was told so can be closed without losing a request; any other one might just carry the next.
 */
export const beginDraining = (app: FastifyInstance): void => void draining.add(app);

/** Whether each answer of a listener has to end its connection. */
export const isDraining = (app: FastifyInstance): boolean => draining.has(app);

/** Makes a listener able to drain. Has to be called before its routes are added. */
export function addDraining(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!draining.has(app) || request.routeOptions.url !== "/readyz") return done();
    reply
      .code(503)
      .header("Retry-After", "2")
      .send({ status: "draining", reason: "the service is stopping" });
  });
  // Not when the request arrives: requests in flight have to say so, too.
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (draining.has(app)) reply.header("Connection", "close");
    done(null, payload);
  });
}
