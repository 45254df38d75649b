import { sweepSessions } from "./accounts/session.ts";
import { forgetUnused } from "./clients/forget-unused.ts";
import type { Service } from "./service.ts";

const EVERY_MS = 10 * 60_000;

/** Removes what is over: sessions, set-up links, clients that nobody authorized. Answers the way to stop. */
export function keepSwept(service: Service): () => void {
  const sweep = () => {
    sweepOnce(service).catch((error: unknown) =>
      service.log.warn({ err: error }, "the sweep failed; it runs again"),
    );
  };
  const timer = setInterval(sweep, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function sweepOnce(service: Service): Promise<void> {
  await sweepSessions(service);
  await service.db.query("DELETE FROM setup_link WHERE expires_at < moment()");
  await forgetUnused(service);
}
