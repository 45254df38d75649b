import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import type { Client } from "./client.ts";
import { isDocumentAddress } from "./document-address.ts";
import { countDocumentFetch } from "./document-freshness.ts";
import { fetchDocument } from "./fetch-document.ts";
import { findClient } from "./find-client.ts";
import { readDocument } from "./read-document.ts";

const HELD = `SELECT id, metadata FROM client
  WHERE id = $1 AND document_until > moment() - make_interval(secs => $2)`;

const KEEP = `INSERT INTO client (id, metadata, document_until, document_read_at)
  VALUES ($1, $2, moment() + make_interval(secs => $3), moment())
  ON CONFLICT (id) DO UPDATE SET metadata = excluded.metadata, document_until = excluded.document_until,
    document_read_at = excluded.document_read_at
  RETURNING id, metadata`;

/**
 * The application of an authorization request: registered, or known by its metadata document, which is fetched if
 * the stored one expired more than `grace` seconds ago. Each fetch counts against the limit of the request's
 * address.
 */
export const findAskingClient = personOperation({
  name: "clients.find_asking",
  async run(
    { service, db },
    { clientId, grace }: { clientId: string; grace: number },
  ): Promise<Client | undefined> {
    if (!isDocumentAddress(clientId)) return await findClient(service, clientId);
    if (!service.config.documents.allowed) return undefined;
    const [held] = await db.query<Client>(HELD, [clientId, grace]);
    return held ?? (await fetchedClient(service, clientId, grace));
  },
});

const underWay = new Map<string, Promise<Client>>();

/**
 * Fetches once for all requests that need the document at the same time; only the one that fetches counts against the
 * limit. If that one is over its own limit, a waiting request fetches and counts instead.
 */
async function fetchedClient(service: Service, clientId: string, grace: number): Promise<Client> {
  for (let others = underWay.get(clientId); others !== undefined; others = underWay.get(clientId)) {
    try {
      return await others;
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "too_many") throw error;
    }
  }
  const running = heldOrFetched(service, clientId, grace).finally(() => underWay.delete(clientId));
  underWay.set(clientId, running);
  return await running;
}

/** Reads the stored document again before fetching: another fetch may have finished since this request looked. */
async function heldOrFetched(service: Service, clientId: string, grace: number): Promise<Client> {
  const [held] = await service.db.query<Client>(HELD, [clientId, grace]);
  if (held !== undefined) return held;
  await countDocumentFetch(service, service.origin?.address ?? "");
  return await fetchAndKeep(service, clientId);
}

async function fetchAndKeep(service: Service, clientId: string): Promise<Client> {
  const { text, freshFor } = await fetchDocument(service.config.documents, clientId, service.trace);
  const earlier = (await findClient(service, clientId))?.metadata.redirect_uris;
  const metadata = readDocument(clientId, text, earlier);
  const client = await service.db.transaction(async (tx) => {
    const [kept] = await tx.query<Client>(KEEP, [clientId, JSON.stringify(metadata), freshFor]);
    if (kept === undefined) throw new Error("a document was kept and did not come back");
    await record(service, tx, {
      action: "client.document_read",
      actor: clientId,
      data: { client_id: clientId, client_name: kept.metadata.client_name },
    });
    return kept;
  });
  // only now, so that a probe that starts after this finds the document
  service.offer.reached("A document was fetched.");
  return client;
}
