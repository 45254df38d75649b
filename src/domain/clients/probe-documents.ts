import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "../operation/service/service.ts";
import { reachServer } from "./fetch-document.ts";

const LAST = `SELECT id FROM client WHERE document_read_at IS NOT NULL
  ORDER BY document_read_at DESC LIMIT 1`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Tries once to reach CIMD_PROBE, or the document that was fetched last, over https; any answer counts. The result
 * decides whether the discovery document offers client documents.
 */
export async function probeDocuments(
  service: Service,
  stop: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db, offer, config } = service;
  const before = offer.state;
  const address = config.documents.probe ?? (await db.query<{ id: string }>(LAST))[0]?.id;
  if (stop.aborted) return;
  if (address === undefined) {
    // a document may have been fetched since the statement was sent
    if (offer.state === before) offer.nothingToTry();
    return;
  }
  try {
    await reachServer(config.documents, address, stop);
    offer.reached("A server outside answered over https.");
  } catch (error) {
    if (!stop.aborted) offer.failed(error);
  }
}

/**
 * Probes at the start, then hourly, and sooner after a failure, as long as the service runs and no setting decides.
 * Returns a function that stops it.
 */
export function keepProbing(service: Service): () => void {
  const stopping = new AbortController();
  if (!service.offer.isDecided) void probeUntil(service, stopping.signal);
  return () => stopping.abort();
}

async function probeUntil(service: Service, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    let wait = MINUTE;
    try {
      await probeDocuments(service, stop);
      const { failures } = service.offer;
      wait = failures === 0 ? HOUR : Math.min(failures * MINUTE, HOUR);
    } catch (error) {
      if (!stop.aborted)
        service.log.warn({ err: error }, "could not find out what to probe; it will be retried");
    }
    await sleep(wait, undefined, { signal: stop, ref: false }).catch(() => undefined);
  }
}
