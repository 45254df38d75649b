import type { FastifyInstance, FastifyRequest } from "fastify";

const PATIENCE_MS = 15_000;
const LATE = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** Ends connections whose request has not come whole within fifteen seconds; uploads take the time they take. */
export function lateBodies(app: FastifyInstance): void {
  // One clock for all: a timer for each request would cost as much as all else that waits here.
  const waiting = new Map<FastifyRequest["raw"], number>();
  const clock = setInterval(() => {
    const latest = performance.now() - PATIENCE_MS;
    for (const [raw, since] of waiting) {
      if (since > latest) return;
      waiting.delete(raw);
      if (!raw.complete) raw.socket.end(LATE, () => raw.socket.destroy());
    }
  }, 500);
  clock.unref();
  app.addHook("onClose", async () => clearInterval(clock));
  app.addHook("onRequest", (request, _reply, done) => {
    const { raw } = request;
    const { streams } = request.routeOptions.config as { streams?: boolean };
    if (!raw.complete && streams !== true && hasBody(request)) {
      waiting.set(raw, performance.now());
    }
    done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    waiting.delete(request.raw);
    done();
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
