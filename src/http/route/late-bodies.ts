import type { FastifyInstance, FastifyRequest } from "fastify";
import { answerLate, type HostHeaders } from "./unreadable.ts";

/** Fifteen seconds, less the timer's interval. */
const PATIENCE_MS = 14_500;
const CLOCK_MS = 500;

/**
 * Closes connections whose request is incomplete after fifteen seconds, even if its body is not read or the
 * response was already sent. Uploads have no limit until they are answered.
 */
export function lateBodies(app: FastifyInstance, headers: HostHeaders): void {
  // One timer for all requests: one for each would cost as much as the rest of this module.
  const waiting = new Map<FastifyRequest, number>();
  const answered = new WeakSet<FastifyRequest>();
  const clock = setInterval(() => {
    const latest = performance.now() - PATIENCE_MS;
    for (const [request, since] of waiting) {
      const { raw, id } = request;
      const isOver = raw.complete || raw.destroyed;
      if (!isOver && since > latest) continue;
      waiting.delete(request);
      if (isOver) continue;
      if (answered.has(request)) raw.socket.destroy();
      else answerLate(raw.socket, headers, id);
    }
  }, CLOCK_MS);
  clock.unref();
  app.addHook("onClose", async () => clearInterval(clock));
  app.addHook("onRequest", (request, _reply, done) => {
    const { streams } = request.routeOptions.config as { streams?: boolean };
    if (!request.raw.complete && hasBody(request))
      waiting.set(request, streams === true ? Number.POSITIVE_INFINITY : performance.now());
    done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.raw.complete) waiting.delete(request);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    const since = waiting.get(request);
    if (request.raw.complete) waiting.delete(request);
    else if (since !== undefined) {
      answered.add(request);
      waiting.set(request, Math.min(since, performance.now()));
    }
    done();
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
