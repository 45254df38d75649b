import { isId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Service } from "../operation/service/service.ts";
import type { Client } from "./client.ts";
import { isDocumentAddress } from "./document-address.ts";

/** The registered application with this id, or the one whose metadata document is stored. Nothing is fetched. */
export async function findClient(service: Service, clientId: string): Promise<Client | undefined> {
  const document = service.config.documents.allowed && isDocumentAddress(clientId);
  if (!document && !isId("app", clientId)) return undefined;
  const rows = await service.db.query<Client>("SELECT id, metadata FROM client WHERE id = $1", [clientId]);
  return rows[0];
}

/** The application that calls the token endpoint; `invalid_client` if it is unknown or deleted (RFC 6749 5.2). */
export async function knownClient(service: Service, clientId: string): Promise<Client> {
  const client = await findClient(service, clientId);
  if (client === undefined) {
    throw new Refusal(
      "unauthenticated",
      "invalid_client",
      "The client is not registered here. Register again.",
    );
  }
  return client;
}
